import type { FurtherWork } from '../http/route.ts';
import { rankStep } from '../ranks.ts';
import { updateRow } from '../session.ts';
import { getTask } from '../tasks/task-service.ts';
import { maximumItems } from './batch.ts';

/** Less than the distance to the task that was on top, for all entries together. */
const distance = Math.floor(rankStep / (maximumItems + 1));

/**
 * New and moved tasks go on top of their list, each above the one before. This keeps those of one batch in the order
 * given: the second goes below the first of the same list, and so on.
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
