import type { Ranks } from '../ranks.ts';

export type Placed = { id: string; rank: number };

/**
 * The new rank of a row that comes to stand at `index` of `others`, which are in order: half way between its
 * neighbours. Where they leave no room, the shorter side of the list moves beyond every rank in use. Returns
 * each row whose rank changes, the placed one first.
 */
export function placeInOrder(id: string, others: readonly Placed[], index: number, ranks: Ranks): Placed[] {
  const [before, after] = [others[index - 1], others[index]];
  if (after === undefined) return [{ id, rank: ranks.bottomRank() }];
  if (before === undefined) return [{ id, rank: ranks.topRank() }];
  const middle = Math.floor(before.rank / 2 + after.rank / 2);
  if (middle > before.rank && middle < after.rank) return [{ id, rank: middle }];
  if (index <= others.length / 2) {
    const placed = { id, rank: ranks.topRank() };
    const moved = others.slice(0, index).toReversed();
    return [placed, ...moved.map((row) => ({ id: row.id, rank: ranks.topRank() }))];
  }
  const placed = { id, rank: ranks.bottomRank() };
  return [placed, ...others.slice(index).map((row) => ({ id: row.id, rank: ranks.bottomRank() }))];
}
