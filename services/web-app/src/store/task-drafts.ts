import {
  type AppTaskDetail,
  appApiPath,
  newTaskFields,
  type OccurrenceRequest,
  rankStep,
  type TaskFields,
} from '#shared/app/app-protocol.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { byDayOrder, byRank, rankAfter, unsentStep, viewDate } from './order.ts';
import type { RecordDraft } from './outbox-record.ts';
import { draftNew, draftWrite, patch, post, type Request, remove } from './row-drafts.ts';
import type { RowTable } from './row-table.ts';
import { isOpenTask, setFields, type TaskRow } from './row-types.ts';

export type ChecklistInput = { id?: string; title: string; completed?: boolean };

type Written = TaskFields & Pick<AppTaskDetail, 'title' | 'description' | 'recurrence'>;
export type TaskPatch = Partial<Written & { checklist: readonly ChecklistInput[] }>;

export type Destination = { list: 'inbox' | 'someday' } | { projectId: string; sectionId?: string | null };

export type NewTask = { title: string; list?: 'inbox' | 'someday'; isDone?: boolean } & {
  projectId?: string | null;
  sectionId?: string | null;
} & Omit<TaskPatch, 'title'>;

type Tasks = Pick<RowTable<TaskRow>, 'shown'>;
type Scope = 'list' | 'day';

/** A task and one of its orders. */
export type TaskBeside = { id: string; scope: Scope };

const pathOf = (id: string) => `${apiRootPath}/tasks/${id}`;

type Place = Pick<TaskRow, 'list' | 'projectId' | 'sectionId'>;

function isIn(place: Place, task: TaskRow): boolean {
  return task.list === place.list && task.projectId === place.projectId && task.sectionId === place.sectionId;
}

/** Whether the tasks are in the same list, or on the same day. */
export function isBeside(task: TaskRow, other: TaskRow, scope: Scope): boolean {
  return scope === 'list' ? isIn(other, task) : viewDate(other) === viewDate(task);
}

/** The other open tasks of its list or day, unordered. */
function othersBeside(tasks: Tasks, task: TaskRow, scope: Scope): TaskRow[] {
  return [...tasks.shown.values()].filter(
    (other) => isOpenTask(other) && other.id !== task.id && isBeside(task, other, scope),
  );
}

const unsentMilliseconds = 1000;

/** `turn`: number of earlier tasks of the same command in that list. */
function topRank(tasks: Tasks, place: Place, turn = 0): number {
  let top = 0;
  for (const task of tasks.shown.values()) {
    if (isOpenTask(task) && isIn(place, task)) top = Math.min(top, task.rank);
  }
  return top - unsentStep - (turn + 1) * rankStep;
}

function placeOf(destination: Destination, isDated: boolean): Place {
  if ('projectId' in destination) {
    const { projectId, sectionId = null } = destination;
    return { list: 'project', projectId, sectionId };
  }
  return { list: isDated ? 'someday' : destination.list, projectId: null, sectionId: null };
}

function checklistOf(
  items: readonly ChecklistInput[],
): Pick<TaskRow, 'checklist' | 'checklistTotal' | 'checklistDone'> {
  const checklist = items.map((item) => ({
    id: item.id ?? crypto.randomUUID(),
    title: item.title,
    completed: item.completed ?? false,
  }));
  const checklistDone = checklist.filter((item) => item.completed).length;
  return { checklist, checklistTotal: checklist.length, checklistDone };
}

/** Whether lists show the task only on its day. */
export function isOfDay({ projectId, dueDate, deadlineDate }: NewTask): boolean {
  return typeof projectId !== 'string' && typeof (dueDate ?? deadlineDate) === 'string';
}

export function draftTask(
  tasks: Tasks,
  id: string,
  input: NewTask,
  now: Date,
  turn: number,
): { row: TaskRow; draft: RecordDraft } {
  const { title, list = 'inbox', projectId, sectionId = null, checklist = [], isDone, ...rest } = input;
  const sent = withoutUndefined(rest);
  const destination = typeof projectId === 'string' ? { projectId, sectionId } : { list };
  const place = placeOf(destination, viewDate({ ...newTaskFields, ...sent }) !== null);
  const at = new Date(now.getTime() + turn * unsentMilliseconds).toISOString();
  const row: TaskRow = {
    ...newTaskFields,
    description: null,
    recurrence: null,
    ...sent,
    ...place,
    id,
    title,
    status: 'open',
    inTrash: false,
    completedAt: null,
    cancelledAt: null,
    createdAt: at,
    updatedAt: at,
    hasNotes: (sent.description ?? '') !== '',
    rank: topRank(tasks, place, turn),
    dayRank: null,
    textsAt: at,
    ...checklistOf(checklist),
  };
  const items = checklist.length === 0 ? {} : { checklist: row.checklist };
  const request = post(`${apiRootPath}/tasks`, { title, ...destination, ...sent, ...items });
  return { row, draft: draftNew('task', row, request) };
}

function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** The service's rules: a dated task leaves the inbox, and clearing the due date clears the reminder. */
export function draftPatch(tasks: Tasks, task: TaskRow, patch: TaskPatch): RecordDraft[] {
  const changed = changedFields(task, patch);
  return Object.keys(changed).length === 0 ? [] : [patchOf(tasks, task, changed)];
}

function changedFields(task: TaskRow, patch: TaskPatch): TaskPatch {
  const present: Record<string, unknown> = task;
  const isChanged = ([field, value]: [string, unknown]) =>
    value !== undefined && JSON.stringify(present[field]) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(patch).filter(isChanged));
}

function patchOf(tasks: Tasks, task: TaskRow, changes: TaskPatch): RecordDraft {
  const { checklist, description, ...fields } = changes;
  const set: Partial<TaskRow> = { ...fields };
  if (description !== undefined) {
    set.description = description;
    set.descriptionHtml = null;
    set.hasNotes = (description ?? '') !== '';
  }
  if (checklist !== undefined) Object.assign(set, checklistOf(checklist));
  if (fields.dueDate === null && fields.reminderTime === undefined) set.reminderTime = null;
  const next = { ...task, ...set };
  if (viewDate(next) !== viewDate(task)) set.dayRank = null;
  if (next.list === 'inbox' && viewDate(next) !== null) {
    const place = placeOf({ list: 'someday' }, true);
    Object.assign(set, place, { rank: topRank(tasks, place) });
  }
  const body = {
    ...changes,
    ...(set.checklist && { checklist: set.checklist }),
    // The service merges rules, so the present end must be cleared.
    ...(fields.recurrence && task.recurrence?.until && { recurrence: { until: null, ...fields.recurrence } }),
  };
  return draftWrite('task', task, set, patch(pathOf(task.id), body));
}

export function draftMove(tasks: Tasks, task: TaskRow, destination: Destination, turn: number): RecordDraft {
  const place = placeOf(destination, viewDate(task) !== null);
  const body = 'projectId' in destination ? { sectionId: null, ...destination } : destination;
  const set = { ...place, rank: topRank(tasks, place, turn) };
  return draftWrite('task', task, set, post(`${pathOf(task.id)}/move`, body));
}

export type Transition = 'complete' | 'skip' | 'cancel' | 'reopen';

export function draftTransition(task: TaskRow, transition: Transition, now: Date): RecordDraft {
  const at = now.toISOString();
  const sets: Record<Transition, Partial<TaskRow>> = {
    complete: { status: 'completed', completedAt: at },
    // The series may end; the server determines its next date.
    skip: { status: 'cancelled', cancelledAt: at },
    cancel: { status: 'cancelled', cancelledAt: at, recurrence: null },
    // The repeat that its closing ended arrives with the response.
    reopen: { status: 'open', completedAt: null, cancelledAt: null },
  };
  const isOfSeries = task.recurrence !== null && (transition === 'complete' || transition === 'skip');
  const body: OccurrenceRequest | null = isOfSeries ? { occurrence: viewDate(task) } : null;
  const root = isOfSeries || transition === 'reopen' ? appApiPath : apiRootPath;
  return draftWrite('task', task, sets[transition], post(`${root}/tasks/${task.id}/${transition}`, body));
}

/** Restores it to its former place, or outside projects, as the service does. */
export function draftRestore(tasks: Tasks, task: TaskRow, isOutside: boolean): RecordDraft {
  const place = placeOf({ list: 'inbox' }, viewDate(task) !== null);
  const outside = isOutside ? { ...place, rank: topRank(tasks, place) } : {};
  return draftWrite('task', task, { inTrash: false, ...outside }, post(`${pathOf(task.id)}/restore`));
}

export function draftTrash(task: TaskRow): RecordDraft {
  return draftWrite('task', task, { inTrash: true }, remove(pathOf(task.id)));
}

/** Places it after the other task, or first. */
export function draftPosition(tasks: Tasks, task: TaskRow, after: string | null, scope: Scope): RecordDraft {
  const request = post(`${appApiPath}/tasks/${task.id}/position`, { after, scope });
  if (scope === 'day') return positionInDay(tasks, task, after, request);
  const others = othersBeside(tasks, task, 'list').sort(byRank);
  return draftWrite('task', task, { rank: rankAfter(others, after) }, request);
}

/** The tasks above it on its day become manually ordered, in the displayed order. */
function positionInDay(tasks: Tasks, task: TaskRow, after: string | null, request: Request): RecordDraft {
  const day = othersBeside(tasks, task, 'day').sort(byDayOrder);
  const above = day.slice(0, day.findIndex((other) => other.id === after) + 1);
  const placed = above.filter((other) => other.dayRank !== null);
  const ranks = new Map<string, number>();
  let last = placed.at(-1)?.dayRank ?? 0;
  for (const other of above.filter((each) => each.dayRank === null)) {
    last += rankStep;
    ranks.set(other.id, last);
  }
  const ordered = day.flatMap((other) => {
    const rank = ranks.get(other.id) ?? other.dayRank;
    return rank === null ? [] : [{ id: other.id, rank }];
  });
  const others = [...ranks].map(([id, dayRank]) => setFields('task', id, { dayRank }));
  return draftWrite('task', task, { dayRank: rankAfter(ordered, after) }, request, others);
}
