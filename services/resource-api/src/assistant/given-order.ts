import { rankStep } from '#shared/app/app-protocol.ts';
import type { WriteWrapper } from '../http/route.ts';
import { maximumItems } from './batch.ts';

/** All entries together stay above the task that was on top. */
const distance = Math.floor(rankStep / (maximumItems + 1));

/**
 * New and moved tasks go to the top of their list, which would reverse a batch. This keeps its order: each
 * task is placed below the previous one.
 */
export function keepGivenOrder(): WriteWrapper<{ id: string } | undefined> {
  let previous: number | undefined;
  return (session, work) => {
    const rank = previous === undefined ? session.topRank() : previous + distance;
    previous = rank;
    session.topRank = () => rank;
    return work();
  };
}
