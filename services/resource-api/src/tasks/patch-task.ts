import type { InferType } from 'yup';
import { closedObject } from '#shared/validation/fields.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import type { Rendering } from '../notes/notes-renderer.ts';
import { requireDeadlineAllowed } from '../plans/plan-policy.ts';
import type { WriteSession } from '../session.ts';
import { replaceChecklist } from './checklist.ts';
import { anchorFor, isUnchanged, mergeRule, normaliseRule, type RecurrenceRule } from './recurrence.ts';
import type { Task } from './task-entity.ts';
import { listFor, requireDateForReminder } from './task-placement.ts';
import { recurrenceInput, type taskPatchBody } from './task-schema.ts';
import { requireTask } from './task-service.ts';

type Patch = InferType<typeof taskPatchBody>;

/**
 * Applies a merge patch; members that are not in it stay. `rendering` is of the patch's notes.
 * Throws validation_error on `reminderTime` and `recurrence`, not_found and premium_required.
 */
export async function patchTask(
  session: WriteSession,
  id: string,
  patch: Patch,
  rendering: Rendering,
): Promise<Task> {
  // A patch that contradicts itself is invalid whether or not there is such a task.
  if (patch.dueDate === null) requireDateForReminder(null, patch.reminderTime ?? null);
  const task = await requireTask(session, id);
  requireDateForReminder(...reminderAfter(task, patch));
  const rule = ruleAfter(task, patch.recurrence);
  requireDeadlineAllowed(session.account.plan, task.deadlineDate ?? null, patch.deadlineDate ?? null);
  if (patch.title !== undefined) task.title = patch.title;
  if (patch.description !== undefined) patchNotes(task, patch.description || null, rendering);
  if (patch.checklist !== undefined) task.checklist = replaceChecklist(task.checklist, patch.checklist ?? []);
  patchDates(session, task, patch, rule);
  return task;
}

/** Clearing the start date clears the reminder with it, unless the patch itself sets one. */
function reminderAfter(task: Task, patch: Patch): [dueDate: string | null, reminderTime: string | null] {
  const dueDate = patch.dueDate === undefined ? (task.dueDate ?? null) : patch.dueDate;
  if (patch.reminderTime !== undefined) return [dueDate, patch.reminderTime];
  return [dueDate, patch.dueDate === null ? null : (task.reminderTime ?? null)];
}

const patchedRule = closedObject({ recurrence: recurrenceInput.defined() });

/** The very rule that the task has, unless the patch changes it. */
function ruleAfter(task: Task, patch: Patch['recurrence']): RecurrenceRule | null {
  const { recurrence: kept = null, recurrenceAnchor: anchor } = task;
  if (!patch) return patch === null ? null : kept;
  const { recurrence } = validateInput(patchedRule, { recurrence: mergeRule(kept, patch) }, 'body');
  const merged = normaliseRule(recurrence);
  return kept && anchor && isUnchanged(kept, merged, patch, anchor) ? kept : merged;
}

function patchNotes(task: Task, description: string | null, rendering: Rendering): void {
  if (description === (task.description ?? null)) return;
  task.description = description;
  task.descriptionHtml = rendering.html;
  task.rendererVersion = rendering.version;
}

function patchDates(session: WriteSession, task: Task, patch: Patch, rule: RecurrenceRule | null): void {
  const [dueDate, reminderTime] = reminderAfter(task, patch);
  const deadlineDate = patch.deadlineDate === undefined ? (task.deadlineDate ?? null) : patch.deadlineDate;
  const isRescheduled = dueDate !== (task.dueDate ?? null);
  Object.assign(task, { dueDate, deadlineDate, reminderTime });
  // The series is anchored anew when its rule or the start date changes.
  if (isRescheduled || rule !== (task.recurrence ?? null)) {
    task.recurrence = rule;
    task.recurrenceAnchor = rule && anchorFor({ dueDate, deadlineDate }, session.today);
  }
  if (task.list === 'inbox' && listFor('inbox', { dueDate, deadlineDate }) === 'someday') {
    task.list = 'someday';
    task.rank = session.topRank();
  }
}
