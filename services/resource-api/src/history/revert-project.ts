import type { Plan } from '#shared/plans.ts';
import type { RecordChange, Values } from './record-change.ts';
import { type Reverted, startRevert } from './revert-fields.ts';
import { isGone, keepDeadline } from './revert-task.ts';

type ProjectSurroundings = {
  plan: Plan;
  areaIds: ReadonlySet<unknown>;
  /** Whether there are open tasks outside the Trash that the transaction did not change. */
  hasOtherTasks: boolean;
  /** Why the plan allows no further live project; undefined if it does. */
  noRoom: string | undefined;
};

export const isLive = ({ status, trashed_at: trashedAt }: Values): boolean =>
  status === 'active' && trashedAt === null;

/** The fields of an updated project to be restored, within the rules of projects. */
export function revertProject(change: RecordChange, surroundings: ProjectSurroundings): Reverted {
  const { present } = change;
  if (present === null) return { changes: {}, kept: [isGone] };
  const { plan, areaIds, hasOtherTasks, noRoom } = surroundings;
  const revert = startRevert(change);
  const keepState = (reason: string): void => {
    revert.keep('status', reason);
    revert.keep('trashed_at', reason);
  };
  if (isLive(present) && !isLive(revert.result()) && hasOtherTasks) keepState('It has other open tasks.');
  if (!isLive(present) && isLive(revert.result()) && noRoom !== undefined) keepState(noRoom);
  if (revert.has('area_id') && revert.result().area_id !== null && !areaIds.has(revert.result().area_id))
    revert.keep('area_id', 'Its area is gone.');
  const { status, trashed_at: trashedAt } = revert.result();
  if (trashedAt !== null || status !== 'active') {
    const reason = `It is ${trashedAt === null ? status : 'in the Trash'}.`;
    for (const column of ['title', 'description', 'deadline_date']) revert.keep(column, reason);
  }
  keepDeadline(revert, present, plan);
  return revert.reverted();
}
