import type { Task } from '#tests/support/api-types.ts';
import { type AccountState, type Kind, kinds } from './account-state.ts';
import type { ObservedAccount } from './observed-account.ts';
import type { Change } from './reference-model.ts';
import { asText, type WireNames, wireName } from './wire-names.ts';

export type FeedRow = { sequence: number; entity: string; id: string; change: string; changedAt: string };

type Stamped = { id: string; createdAt: string; updatedAt: string };

/** The changes of one write, with its number. */
export type Write = { tick: number; changes: readonly Change[] };

/**
 * What the moments of an account say against the model: each write has one instant, carried by all it changed and by
 * nothing else, later than every earlier write's; and the feed tells of each change once, in that order, without gaps.
 */
export function momentDifferences(
  state: AccountState,
  names: WireNames,
  observed: ObservedAccount,
  feed: readonly FeedRow[],
  writes: readonly Write[],
): string[] {
  const instants = instantsOfWrites(feed, writes);
  if (typeof instants === 'string') return [instants];
  return [
    ...feedDifferences(names, feed, writes),
    ...kinds.flatMap((kind) => stampDifferences(state, names, instants, kind, shownOf(observed, kind))),
    ...closingDifferences(state, names, observed.views.all),
  ];
}

function instantsOfWrites(feed: readonly FeedRow[], writes: readonly Write[]): Map<number, string> | string {
  const instants = [...new Set(feed.map(({ changedAt }) => changedAt))];
  if (instants.length !== writes.length)
    return `${writes.length} writes, ${instants.length} instants in the feed`;
  const isRising = instants.every((instant, index) => index === 0 || instant > (instants[index - 1] ?? ''));
  if (!isRising) return `the instants of the feed do not rise: ${instants}`;
  return new Map(writes.map(({ tick }, index) => [tick, instants[index] ?? '']));
}

function feedDifferences(names: WireNames, feed: readonly FeedRow[], writes: readonly Write[]): string[] {
  const gap = feed.findIndex(({ sequence }, index) => sequence !== index + 1);
  const gaps = gap === -1 ? [] : [`the feed has ${feed[gap]?.sequence} for its number ${gap + 1}`];
  let position = 0;
  const differences = writes.flatMap(({ tick, changes }) => {
    const told = feed.slice(position, position + changes.length);
    position += changes.length;
    const expected = changes.map(({ kind, id, change }) => `${kind} ${names.get(id)} ${change}`).sort();
    const shown = told.map(({ entity, id, change }) => `${entity} ${id} ${change}`).sort();
    return asText(expected) === asText(shown)
      ? []
      : [`write ${tick}: the feed tells ${shown}, not ${expected}`];
  });
  const rest = feed.length === position ? [] : [`the feed has ${feed.length} entries, not ${position}`];
  return [...gaps, ...differences, ...rest];
}

function shownOf(observed: ObservedAccount, kind: Kind): readonly Stamped[] {
  if (kind === 'task') return observed.views.all;
  if (kind === 'project') return observed.projects;
  return kind === 'area' ? observed.areas : observed.projects.flatMap(({ sections }) => sections);
}

function stampDifferences(
  state: AccountState,
  names: WireNames,
  instants: ReadonlyMap<number, string>,
  kind: Kind,
  shown: readonly Stamped[],
): string[] {
  const byId = new Map(shown.map((resource) => [resource.id, resource]));
  return Object.values(state[kind]).flatMap(({ id, createdAt, updatedAt }) => {
    const resource = byId.get(wireName(names, id));
    if (resource === undefined) return [];
    const expected = { createdAt: instants.get(createdAt), updatedAt: instants.get(updatedAt) };
    const had = { createdAt: resource.createdAt, updatedAt: resource.updatedAt };
    return asText(expected) === asText(had) ? [] : [`${id} has ${asText(had)}, expected ${asText(expected)}`];
  });
}

/** Closed by one write, closed at one moment, and no later write at an earlier one. */
function closingDifferences(state: AccountState, names: WireNames, tasks: readonly Task[]): string[] {
  const byId = new Map(tasks.map((task) => [task.id, task.completedAt ?? task.cancelledAt ?? '']));
  const closed = Object.values(state.task)
    .flatMap(({ id, closedAt }) =>
      closedAt === null ? [] : [{ closedAt, at: byId.get(wireName(names, id)) ?? '' }],
    )
    .toSorted((one, other) => one.closedAt - other.closedAt);
  return closed.flatMap(({ closedAt, at }, index) => {
    const earlier = closed[index - 1];
    if (earlier === undefined) return [];
    const isRight = earlier.closedAt === closedAt ? earlier.at === at : earlier.at <= at;
    return isRight
      ? []
      : [`closed by write ${closedAt} at ${at}, by write ${earlier.closedAt} at ${earlier.at}`];
  });
}
