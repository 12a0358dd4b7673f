import { type AccountState, isActive, newResource, type TaskState } from './account-state.ts';
import { type Answer, invalidState, type TaskTransition } from './operation.ts';
import { rolled, seriesOf } from './repeating-series.ts';
import { isDated, leaveInboxWhenDated } from './task-fields.ts';
import { requireTask } from './task-rules.ts';

/* Completing, cancelling, trashing a task and taking it back. */

export function passTask(draft: AccountState, transition: TaskTransition, id: string, today: string): Answer {
  const task = requireTask(draft, id);
  if (transition === 'trash task') {
    task.trashedAt ??= draft.tick;
    return { status: 204 };
  }
  if (transition === 'restore task') restore(draft, task);
  else if (task.trashedAt !== null) throw invalidState();
  else if (transition === 'skip task') {
    if (task.status !== 'open' || !task.recurrence) throw invalidState();
    const own = seriesOf(task).dueDate === null ? task.deadlineDate : task.dueDate;
    const passes = task.recurrence.fromCompletion && own !== null && own > today;
    roll(draft, task, passes ? own : today);
  } else change(draft, transition, task, today);
  return { status: 200, shows: { kind: 'task', id } };
}

function change(draft: AccountState, transition: TaskTransition, task: TaskState, today: string): void {
  const [from, to] = courses[transition as keyof typeof courses];
  if (task.status === to) return;
  if (task.status !== from) throw invalidState();
  if (to === 'open') reopen(draft, task);
  else if (to === 'completed' && task.recurrence) logOccurrence(draft, task, today);
  else closeTask(task, to, draft.tick);
}

const courses = {
  'complete task': ['open', 'completed'],
  'uncomplete task': ['completed', 'open'],
  'cancel task': ['open', 'cancelled'],
  'uncancel task': ['cancelled', 'open'],
} as const;

/** Closed for good: it repeats no more. */
export function closeTask(task: TaskState, status: 'completed' | 'cancelled', tick: number): void {
  Object.assign(task, { status, [`${status}At`]: tick, recurrence: null, anchor: null });
}

function reopen(state: AccountState, task: TaskState): void {
  const project = projectOf(state, task);
  if (project && !isActive(project)) throw invalidState();
  Object.assign(task, { status: 'open', completedAt: null, cancelledAt: null });
}

const projectOf = ({ project }: AccountState, { projectId }: TaskState) =>
  projectId === null ? undefined : project[projectId];

/** The task goes on under its id; what was done is logged under one of its own. */
function logOccurrence(draft: AccountState, task: TaskState, today: string): void {
  const logged = { ...structuredClone(task), ...newResource(draft, 'task', task.title) };
  closeTask(logged, 'completed', draft.tick);
  draft.task[logged.id] = logged;
  roll(draft, task, today);
}

function roll(draft: AccountState, task: TaskState, today: string): void {
  if (task.recurrence) Object.assign(task, rolled(task.recurrence, task, today));
  task.series = { dueDate: task.dueDate, deadlineDate: task.deadlineDate };
  if (task.dueDate === null) task.reminderTime = null;
  for (const item of task.checklist) item.completed = false;
  leaveInboxWhenDated(task, draft.tick);
}

/** Back to where it was, or out of a project that it can't be open in. */
function restore(draft: AccountState, task: TaskState): void {
  if (task.trashedAt === null) return;
  const project = projectOf(draft, task);
  if (project && (project.inTrash || (task.status === 'open' && !isActive(project)))) {
    const list = isDated(task) ? 'someday' : 'inbox';
    Object.assign(task, { list, projectId: null, sectionId: null, rank: -draft.tick });
  }
  task.trashedAt = null;
}
