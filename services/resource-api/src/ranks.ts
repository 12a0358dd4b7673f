import { rankStep } from '#shared/app/app-protocol.ts';

export type Ranks = {
  /** A rank above every rank given out so far, and one below. */
  topRank(): number;
  bottomRank(): number;
};

/**
 * Ranks grow away from zero with the feed: each placement also makes a feed entry, so the feed's next numbers
 * are beyond every rank in use, and no list has to be asked for its first or last one. `lastRank`: `rankStep`
 * times the number of the newest entry.
 */
export function createRanks(lastRank: number): Ranks {
  let used = lastRank;
  const next = () => (used += rankStep);
  return { topRank: () => -next(), bottomRank: next };
}
