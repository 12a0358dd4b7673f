import { historyChanges, historyDays } from '#shared/app/app-protocol.ts';
import { invalidField } from '#shared/errors/errors.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { findStampsBy } from '../history/actor-repository.ts';
import { findLatest, findStamps, findStampsOfCall } from '../history/change-repository.ts';
import { actorFilter, describeActors, isOwnWord } from './actors.ts';
import { countEntries } from './count-entries.ts';
import { inOneLine } from './names.ts';
import type { ToolCall } from './tool.ts';
import { startOf } from './tools/tool-fields.ts';

/** Selects what to undo: exactly one of `latest`, `changes`, and `by` with `since`. */
type UndoChoice = {
  latest?: boolean | undefined;
  changes?: readonly string[] | undefined;
  by?: string | undefined;
  since?: string | undefined;
};

/**
 * `goOn`: the call that undoes the rest, after a failure or if there `isMore`. No stamps: everything was
 * undone already.
 */
export type Chosen = { stamps: string[]; goOn: string; isMore?: boolean };

const history = `the newest ${historyChanges.toLocaleString('en')} changes of the last ${historyDays} days`;

/** The web app's limit for one undo. */
const maximumStamps = 1_200;

/** Throws validation_error if nothing was changed, or too much. */
export async function chooseChanges(
  call: ToolCall,
  { latest, changes, by, since }: UndoChoice,
): Promise<Chosen> {
  const goOn = 'the same call again';
  const given = [latest === true, changes !== undefined, by !== undefined].filter(Boolean);
  if (given.length !== 1 || (by === undefined) !== (since === undefined))
    throw invalidField('changes', 'Give latest=true, or changes, or by with since.');
  if (by !== undefined && since !== undefined) return { ...(await findAllBy(call, by, since)), goOn };
  if (changes !== undefined) {
    await countEntries(call, changes);
    const found = await Promise.all(changes.map((handle) => findHandle(call, handle)));
    return { stamps: found.flat(), goOn };
  }
  const { session, principal } = call;
  const handle = await findLatest(session, principal.credentialId);
  if (handle === undefined)
    throw invalidField('latest', `This connection has changed nothing in ${history}.`);
  return { stamps: await findHandle(call, handle), goOn: `undo with changes ["${handle}"]` };
}

/** The newest changes that are not undone yet, up to the limit, so that repeating the call continues. */
async function findAllBy(call: ToolCall, by: string, since: string): Promise<Omit<Chosen, 'goOn'>> {
  const { session, canRead } = call;
  if (!canRead && !isOwnWord(by))
    throw invalidField('by', 'This token may not read, so by must be me, person or anyone.');
  const filter = { ...actorFilter(call, by), since: startOf(session, since) };
  const found = await findStampsBy(session, filter, maximumStamps + 1);
  const named = filter.actorName === undefined ? [] : found;
  const names = new Map(named.map(({ name }) => [name.toLowerCase(), inOneLine(name)]));
  if (names.size > 1)
    throw invalidField(
      'by',
      `«${inOneLine(by)}» is part of several names: give one of ${[...names.values()].join('; ')}.`,
    );
  const stamps = found.filter(({ isStanding }) => isStanding).map(({ stamp }) => stamp);
  const isMore = stamps.length > maximumStamps;
  if (found.length > 0) return { stamps: stamps.slice(0, maximumStamps), isMore };
  const nothing = 'Nothing was changed since then.';
  throw invalidField('by', canRead ? await describeActors(call, by, { since }) : nothing);
}

async function findHandle({ session, canRead }: ToolCall, handle: string): Promise<string[]> {
  const stamps = isUuid(handle)
    ? await findStampsOfCall(session, handle.toLowerCase())
    : await findStamps(session.db, session.account.id, parseInstant(handle) === undefined ? [] : [handle]);
  if (stamps.length > 0) return stamps;
  const wayOut = canRead ? ': look it up with recent_changes' : '';
  throw invalidField('changes', `There is no change «${inOneLine(handle)}» in ${history}${wayOut}.`);
}
