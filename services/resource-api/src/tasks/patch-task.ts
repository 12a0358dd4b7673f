import type { InferType } from 'yup';
import { notesRendererVersion } from '../notes/renderer-version.ts';
import { requireDeadlineAllowed } from '../plans/plan-policy.ts';
import type { WriteSession } from '../session.ts';
import { replaceChecklist } from './checklist.ts';
import { anchorFor, normaliseRule, sameRule } from './recurrence.ts';
import type { Task } from './task-entity.ts';
import { listFor, requireDateForReminder } from './task-placement.ts';
import type { taskPatchBody } from './task-schema.ts';
import { requireTask } from './task-service.ts';

type Patch = InferType<typeof taskPatchBody>;

/**
 * Applies a merge patch; members that are not in it stay. `descriptionHtml` renders the patch's notes.
 * Throws validation_error on `reminderTime`, not_found and premium_required.
 */
export async function patchTask(
  session: WriteSession,
  id: string,
  patch: Patch,
  descriptionHtml: string,
): Promise<Task> {
  // A patch that contradicts itself is invalid whether or not there is such a task.
  if (patch.dueDate === null) requireDateForReminder(null, patch.reminderTime ?? null);
  const task = await requireTask(session, id);
  requireDateForReminder(...reminderAfter(task, patch));
  requireDeadlineAllowed(session.account.plan, task.deadlineDate ?? null, patch.deadlineDate ?? null);
  if (patch.title !== undefined) task.title = patch.title;
  if (patch.description !== undefined) patchNotes(task, patch.description || null, descriptionHtml);
  if (patch.checklist !== undefined) task.checklist = replaceChecklist(task.checklist, patch.checklist ?? []);
  patchDates(session, task, patch);
  return task;
}

/** Clearing the start date clears the reminder with it, unless the patch itself sets one. */
function reminderAfter(task: Task, patch: Patch): [dueDate: string | null, reminderTime: string | null] {
  const dueDate = patch.dueDate === undefined ? (task.dueDate ?? null) : patch.dueDate;
  if (patch.reminderTime !== undefined) return [dueDate, patch.reminderTime];
  return [dueDate, patch.dueDate === null ? null : (task.reminderTime ?? null)];
}

function patchNotes(task: Task, description: string | null, descriptionHtml: string): void {
  if (description === (task.description ?? null)) return;
  task.description = description;
  task.descriptionHtml = descriptionHtml;
  task.rendererVersion = notesRendererVersion;
}

function patchDates(session: WriteSession, task: Task, patch: Patch): void {
  const [dueDate, reminderTime] = reminderAfter(task, patch);
  const deadlineDate = patch.deadlineDate === undefined ? (task.deadlineDate ?? null) : patch.deadlineDate;
  const isRescheduled = dueDate !== (task.dueDate ?? null);
  Object.assign(task, { dueDate, deadlineDate, reminderTime });
  patchRecurrence(session, task, patch, isRescheduled);
  if (task.list === 'inbox' && listFor('inbox', { dueDate, deadlineDate }) === 'someday') {
    task.list = 'someday';
    task.rank = session.topRank();
  }
}

/** The series is anchored anew when its rule or the start date changes; the same rule sent again changes nothing. */
function patchRecurrence(session: WriteSession, task: Task, patch: Patch, isRescheduled: boolean): void {
  if (patch.recurrence === null) {
    task.recurrence = null;
    task.recurrenceAnchor = null;
    return;
  }
  const sent = patch.recurrence && normaliseRule(patch.recurrence);
  const { recurrence: kept, recurrenceAnchor: anchor } = task;
  const isSame = !sent || (kept && anchor ? sameRule(kept, sent, anchor) : false);
  if (sent && !isSame) task.recurrence = sent;
  if (task.recurrence && (isRescheduled || !isSame)) {
    const { dueDate = null, deadlineDate = null } = task;
    task.recurrenceAnchor = anchorFor({ dueDate, deadlineDate }, session.today);
  }
}
