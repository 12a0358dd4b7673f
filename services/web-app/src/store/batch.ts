import type { AppAccount, AppActor, AppChanges, AppSnapshot, AppTask } from '#shared/app/app-protocol.ts';
import type { AreaRow, ProjectRow, RowKey, SectionRow, TaskRow } from './row-types.ts';

export type RowLists = {
  tasks: readonly TaskRow[];
  projects: readonly ProjectRow[];
  sections: readonly SectionRow[];
  areas: readonly AreaRow[];
};

/** The local copy is complete up to `seq`; the stamp identifies that entry to the server. */
export type FeedPosition = { seq: number; stamp: string | null };

export function isSamePosition(left: FeedPosition | null, right: FeedPosition | null): boolean {
  return left?.seq === right?.seq && left?.stamp === right?.stamp;
}

type ActorNote = RowKey & { at: string; actor: AppActor };

/** Rows of the server, applied atomically to memory and disk. */
export type Batch = {
  /** Rows missing in this batch are deleted. */
  replacesAll: boolean;
  /** null: only rows; the position is unchanged. */
  position: FeedPosition | null;
  account: Omit<AppAccount, 'email'> | null;
  /** Counts of all projects; null: unchanged. */
  closedCounts: Readonly<Record<string, number>> | null;
  rows: RowLists;
  gone: readonly RowKey[];
  actors: readonly ActorNote[];
};

export const noRows: RowLists = { tasks: [], projects: [], sections: [], areas: [] };

export function rowBatch(rows: Partial<RowLists>): Batch {
  return {
    replacesAll: false,
    position: null,
    account: null,
    closedCounts: null,
    rows: { ...noRows, ...rows },
    gone: [],
    actors: [],
  };
}

export function snapshotBatch(snapshot: AppSnapshot): Batch {
  const { seq, stamp, account, closedTaskCounts, tasks, projects, sections, areas } = snapshot;
  return {
    ...rowBatch({ tasks: tasks.map(withKnownTexts), projects, sections, areas }),
    replacesAll: true,
    position: { seq, stamp },
    account,
    closedCounts: closedTaskCounts,
  };
}

export function changesBatch(changes: Extract<AppChanges, { reset: false }>): Batch {
  const { seq, stamp, account, closedTaskCounts, upserts, gone, actors } = changes;
  const position = { seq, stamp };
  const lists = { ...upserts, tasks: upserts.tasks.map(withKnownTexts) };
  return { ...rowBatch(lists), position, account, closedCounts: closedTaskCounts, gone, actors };
}

/** Lists omit texts. A task without texts is complete, so it can be edited offline. */
function withKnownTexts(task: AppTask): TaskRow {
  if (task.hasNotes || task.checklistTotal > 0) return task;
  return { ...task, description: null, descriptionHtml: '', checklist: [], textsAt: task.updatedAt };
}
