import type { AppTask, AppTaskDetail } from '#shared/app/app-protocol.ts';
import type { RowLists } from './batch.ts';
import type { RowTable } from './row-table.ts';
import type { ProjectRow, RowKey, TaskRow } from './row-types.ts';
import type { Rows } from './rows.ts';

type Derived = 'hasNotes' | 'checklistTotal' | 'checklistDone' | 'rank' | 'dayRank';
export type PublicTask = Omit<AppTaskDetail, Derived> & {
  inLogbook?: boolean;
  rank?: number;
  dayRank?: number | null;
};

/** Positions are not public: the row keeps those of `shown` until the feed has the server's. */
export function toTaskRow({ inLogbook: _, ...task }: PublicTask, shown?: TaskRow): TaskRow {
  return {
    ...task,
    hasNotes: (task.description ?? '') !== '',
    checklistTotal: task.checklist.length,
    checklistDone: task.checklist.filter((item) => item.completed).length,
    rank: task.rank ?? shown?.rank ?? 0,
    dayRank: task.dayRank ?? shown?.dayRank ?? null,
    textsAt: task.updatedAt,
  };
}

/** The row in a response to a write, as a batch; undefined if there is none. */
export function readRow(
  rows: Rows,
  { entity, id: shownAs }: RowKey,
  body: unknown,
): Partial<RowLists> | undefined {
  if (!isTitled(body)) return undefined;
  if (isListedTask(body)) return { tasks: [body] };
  if (isTask(body)) return { tasks: [toTaskRow(body, placed(rows.tasks, shownAs, body))] };
  const place = placed(rows.table(entity), shownAs, body);
  const rank = typeof body.rank === 'number' ? body.rank : (place?.rank ?? 0);
  if (isProject(body)) {
    const { createdAt: _at, sections: _sections, ...project } = body;
    return { projects: [{ ...project, hasLongNotes: body.hasLongNotes === true, rank }] };
  }
  const { id, title, updatedAt } = body;
  const row = { id, title, updatedAt, rank };
  if (!('projectId' in body) || typeof body.projectId !== 'string') return { areas: [row] };
  return { sections: [{ ...row, projectId: body.projectId }] };
}

/** Adds positions to the row: the server's, if the feed was faster than the response. */
function placed<Row extends { id: string; updatedAt: string }>(
  { server, shown }: RowTable<Row>,
  shownAs: string,
  { id, updatedAt }: { id: string; updatedAt: string },
): Row | undefined {
  const held = server.get(id);
  return held?.updatedAt === updatedAt ? held : shown.get(shownAs);
}

type Titled = { id: string; title: string; updatedAt: string; rank?: unknown };
type PublicProject = Omit<ProjectRow, 'rank' | 'hasLongNotes'> & {
  rank?: unknown;
  hasLongNotes?: unknown;
  createdAt?: unknown;
  sections?: unknown;
};

function isTitled(body: unknown): body is Titled {
  if (typeof body !== 'object' || body === null) return false;
  const row = new Map<string, unknown>(Object.entries(body));
  return ['id', 'title', 'updatedAt'].every((field) => typeof row.get(field) === 'string');
}

function isProject(body: Titled): body is PublicProject {
  return 'areaId' in body && 'status' in body;
}

/** A listed task: with positions, without texts. */
function isListedTask(body: Titled): body is AppTask {
  return 'hasNotes' in body && !('checklist' in body);
}

function isTask(body: Titled): body is PublicTask {
  return 'checklist' in body && Array.isArray(body.checklist);
}
