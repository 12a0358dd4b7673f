import type { Recurrence } from '#tests/support/api-types.ts';
import type { SentTask } from '#tests/support/factories.ts';
import { dateOf, dayNumber } from '../unit/series-oracle.ts';
import { type AccountState, newResource, type TaskState } from './account-state.ts';
import {
  type Answer,
  type Destination,
  invalid,
  invalidState,
  notFound,
  type TaskPatch,
} from './operation.ts';
import { patchedRule, seriesOf, wholeRule } from './repeating-series.ts';
import {
  checkDestination,
  isDated,
  leaveInboxWhenDated,
  placeOf,
  requireDeadlineAllowed,
  requireOpenPlace,
} from './task-fields.ts';

/* Making, patching and moving a task. Each takes a draft of the account and changes it, or throws. */

export function createTask(draft: AccountState, fields: SentTask, today: string): Answer {
  const { dueDate = null, deadlineDate = null, reminderTime = null, recurrence = null } = fields;
  if (reminderTime !== null && dueDate === null) throw invalid('reminderTime');
  checkDestination(fields);
  const place = placeOf(draft, fields, isDated({ dueDate, deadlineDate }) ? 'someday' : 'inbox');
  requireDeadlineAllowed(draft, deadlineDate, null);
  requireOpenPlace(draft, place);
  const task = newResource(draft, 'task', fields.title);
  draft.task[task.id] = {
    ...task,
    description: fields.description || null,
    status: 'open',
    ...place,
    dueDate,
    deadlineDate,
    reminderTime,
    recurrence: recurrence && wholeRule(recurrence),
    anchor: recurrence && (dueDate ?? deadlineDate ?? today),
    series: { dueDate, deadlineDate },
    checklist: newChecklist(fields.checklist, draft.tick),
    trashedAt: null,
    completedAt: null,
    cancelledAt: null,
    rank: -draft.tick,
  };
  return { status: 201, shows: { kind: 'task', id: task.id } };
}

export function patchTask(draft: AccountState, id: string, patch: TaskPatch, today: string): Answer {
  if (patch.reminderTime && patch.dueDate === null) throw invalid('reminderTime');
  const task = requireTask(draft, id);
  const before = { ...task };
  const dueDate = patch.dueDate === undefined ? task.dueDate : patch.dueDate;
  if (patch.reminderTime && dueDate === null) throw invalid('reminderTime');
  const rule = ruleAfter(task, patch.recurrence);
  requireDeadlineAllowed(draft, patch.deadlineDate, task.deadlineDate);
  const { recurrence: _, checklist, description, ...fields } = patch;
  Object.assign(task, fields);
  if (description !== undefined) task.description = description || null;
  if (checklist !== undefined) task.checklist = newChecklist(checklist, draft.tick);
  if (dueDate === null) task.reminderTime = null;
  patchSeries(task, before, { rule, patch, today });
  leaveInboxWhenDated(task, draft.tick);
  return { status: 200, shows: { kind: 'task', id } };
}

function ruleAfter({ recurrence, anchor }: TaskState, patch: TaskPatch['recurrence']): Recurrence | null {
  if (!patch) return patch === null ? null : recurrence;
  const rule = patchedRule(recurrence, patch, anchor ?? '');
  const isNoRule = rule === undefined || (rule.frequency !== 'weekly' && rule.weekdays.length > 0);
  if (isNoRule) throw invalid('recurrence');
  return rule;
}

type SeriesPatch = { rule: Recurrence | null; patch: TaskPatch; today: string };

/** The series restarts when the rule changes or comes with a date; a date alone is this occurrence's. */
function patchSeries(task: TaskState, before: TaskState, { rule, patch, today }: SeriesPatch): void {
  const { dueDate, deadlineDate } = task;
  const series = seriesOf(before);
  const isNewRule = JSON.stringify(rule) !== JSON.stringify(before.recurrence);
  const isDateSent = patch.dueDate !== undefined || patch.deadlineDate !== undefined;
  const isElsewhere = dueDate !== series.dueDate || deadlineDate !== series.deadlineDate;
  if (isNewRule || (patch.recurrence && isDateSent && isElsewhere)) {
    Object.assign(task, { recurrence: rule, anchor: rule && (dueDate ?? deadlineDate ?? today) });
    task.series = { dueDate, deadlineDate };
    return;
  }
  if (rule === null || (dueDate === before.dueDate && deadlineDate === before.deadlineDate)) return;
  task.series = { ...series };
  if (series.dueDate === null || deadlineDate === before.deadlineDate) return;
  if (deadlineDate === null) task.series.deadlineDate = null;
  else if (series.deadlineDate === null) {
    const distance = dayNumber(deadlineDate) - dayNumber(dueDate ?? series.dueDate);
    task.series.deadlineDate = dateOf(dayNumber(series.dueDate) + distance);
  }
}

export function moveTask(draft: AccountState, id: string, destination: Destination): Answer {
  checkDestination(destination);
  const task = requireTask(draft, id);
  const isToRoot = destination.sectionId === null && !destination.projectId && !destination.list;
  if (isToRoot && task.projectId === null) throw invalid('sectionId');
  const wanted = isToRoot ? { projectId: task.projectId ?? '' } : destination;
  const place = placeOf(draft, wanted, isDated(task) ? 'someday' : 'inbox');
  if (task.trashedAt !== null) throw invalidState();
  requireOpenPlace(draft, place);
  Object.assign(task, place, { rank: -draft.tick });
  return { status: 200, shows: { kind: 'task', id } };
}

export function requireTask(state: AccountState, id: string): TaskState {
  const task = state.task[id];
  if (task === undefined) throw notFound();
  return task;
}

function newChecklist(sent: SentTask['checklist'] | null, madeAt: number): TaskState['checklist'] {
  return (sent ?? []).map(({ title, completed = false }) => ({ title, completed, madeAt }));
}
