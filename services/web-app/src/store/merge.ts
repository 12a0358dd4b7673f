import type { AppChecklistItem as Item } from '#shared/app/app-protocol.ts';

/**
 * Three-way merge by item id. Items deleted by one side are deleted, unless the other side changed them. For
 * a field changed by both, mine is kept. The order is theirs unless I changed it; new items stay after their
 * predecessor.
 */
export function mergeChecklists(
  base: readonly Item[],
  mine: readonly Item[],
  theirs: readonly Item[],
): Item[] {
  const before = byId(base);
  const here = byId(mine);
  const there = byId(theirs);
  const merged = new Map<string, Item>();
  for (const id of new Set([...here.keys(), ...there.keys()])) {
    const item = mergeItem(before.get(id), here.get(id), there.get(id));
    if (item !== undefined) merged.set(id, item);
  }
  const kept = mine.filter(({ id }) => before.has(id));
  const isRearranged = base.filter(({ id }) => here.has(id)).some(({ id }, place) => id !== kept[place]?.id);
  const [backbone, other] = isRearranged ? [mine, theirs] : [theirs, mine];
  return ordered(backbone, other, merged);
}

function mergeItem(
  base: Item | undefined,
  mine: Item | undefined,
  theirs: Item | undefined,
): Item | undefined {
  // New here, there, or in both: mine had arrived before.
  if (base === undefined) return theirs ?? mine;
  if (mine === undefined || theirs === undefined) {
    const left = mine ?? theirs;
    return left !== undefined && !isSameItem(base, left) ? left : undefined;
  }
  return {
    id: theirs.id,
    title: mine.title === base.title ? theirs.title : mine.title,
    completed: mine.completed === base.completed ? theirs.completed : mine.completed,
  };
}

/** Items of `backbone` in order; each other item after its predecessor in its own list. */
function ordered(
  backbone: readonly Item[],
  other: readonly Item[],
  merged: ReadonlyMap<string, Item>,
): Item[] {
  const ids = backbone.map((item) => item.id).filter((id) => merged.has(id));
  let previous = -1;
  for (const { id } of other) {
    if (!merged.has(id)) continue;
    const place = ids.indexOf(id);
    if (place === -1) ids.splice(previous + 1, 0, id);
    previous = place === -1 ? previous + 1 : place;
  }
  return ids.flatMap((id) => merged.get(id) ?? []);
}

function isSameItem(a: Item, b: Item): boolean {
  return a.title === b.title && a.completed === b.completed;
}

function byId(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}
