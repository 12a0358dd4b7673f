import type { FurtherWork } from '../http/route.ts';
import { rankStep } from '../ranks.ts';
import { updateRow } from '../session.ts';
import { getTask } from '../tasks/task-service.ts';
import { maximumItems } from './batch.ts';

/** All entries together stay above the task that was on top. */
const distance = Math.floor(rankStep / (maximumItems + 1));

/**
 * New and moved tasks go to the top of their list, which would reverse a batch. This keeps its order: each
 * task is placed below the previous one of the same list.
 */
export function keepGivenOrder(): FurtherWork<{ id: string } | undefined> {
  const placed = new Map<string, { topRank: number; count: number }>();
  return async (session, saved) => {
    if (saved === undefined) return;
    const task = await getTask(session, saved.id);
    const list = task.projectId ?? task.list;
    const { topRank, count } = placed.get(list) ?? { topRank: task.rank, count: 0 };
    placed.set(list, { topRank, count: count + 1 });
    if (count > 0) updateRow(session, 'Task', task, { rank: topRank + count * distance });
  };
}
