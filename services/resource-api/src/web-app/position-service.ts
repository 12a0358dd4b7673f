import type { PositionRequest } from '#shared/app/app-protocol.ts';
import { invalidState } from '#shared/errors/errors.ts';
import { getArea } from '../areas/area-service.ts';
import { getProject } from '../projects/project-service.ts';
import type { WriteSession } from '../session.ts';
import { viewDate } from '../tasks/task-entity.ts';
import { getTask } from '../tasks/task-service.ts';
import { type Placed, placeInOrder } from './place-in-order.ts';
import {
  findAreaOrder,
  findDayOrder,
  findListOrder,
  findProjectOrder,
  type OrderedRow,
  storeRanks,
} from './position-repository.ts';

/** Throws not_found, and invalid_state for a closed task, one without a date, or a neighbour elsewhere. */
export async function placeTask(
  session: WriteSession,
  id: string,
  { after, scope }: PositionRequest,
): Promise<void> {
  const task = await getTask(session, id);
  if (task.status !== 'open' || task.trashedAt)
    throw invalidState('Only open tasks outside the Trash have a place.');
  if (scope === 'list') {
    const order = await findListOrder(session.db, task);
    return storeRanks(session, 'task', 'rank', newRanks(session, id, order, after));
  }
  if (viewDate(task) === null) throw invalidState('The task has no date, so it has no place in a day.');
  const order = await findDayOrder(session.db, task);
  return storeRanks(session, 'task', 'day_rank', newRanks(session, id, order, after));
}

/** Among the projects of its area. Throws not_found and invalid_state. */
export async function placeProject(session: WriteSession, id: string, after: string | null): Promise<void> {
  const { project } = await getProject(session, id);
  const order = await findProjectOrder(session.db, project);
  await storeRanks(session, 'project', 'rank', newRanks(session, id, order, after));
}

/** Throws not_found and invalid_state. */
export async function placeArea(session: WriteSession, id: string, after: string | null): Promise<void> {
  await getArea(session, id);
  const order = await findAreaOrder(session, id);
  await storeRanks(session, 'area', 'rank', newRanks(session, id, order, after));
}

/** The placed row first. A neighbour that was closed or trashed meanwhile still tells the place. */
function newRanks(
  session: WriteSession,
  id: string,
  order: readonly OrderedRow[],
  after: string | null,
): Placed[] {
  const neighbour = after?.toLowerCase() ?? null;
  if (neighbour === id) throw invalidState('A row can not be placed after itself.');
  const others = order.filter((row) => row.isListed || row.id === neighbour);
  const index = neighbour === null ? 0 : others.findIndex((row) => row.id === neighbour) + 1;
  if (neighbour !== null && index === 0)
    throw invalidState('«after» is not in the same list; it may have been moved meanwhile.');
  const ranked = others.flatMap((row) => (row.rank === null ? [] : [{ id: row.id, rank: row.rank }]));
  if (index <= ranked.length) return placeInOrder(id, ranked, index, session);
  // Rows without a rank come last: those before the place get one.
  const unranked = others.slice(ranked.length, index);
  const above = unranked.map((row) => ({ id: row.id, rank: session.bottomRank() }));
  return [{ id, rank: session.bottomRank() }, ...above];
}
