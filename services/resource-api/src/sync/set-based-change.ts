import { lookUpRows, tellNext } from '#shared/database/query-rows.ts';
import { databaseTimeLeft, withDatabaseTime } from '#shared/database/request-budget.ts';
import { serviceUnavailable } from '#shared/errors/errors.ts';
import type { WriteSession } from '../session.ts';
import type { FeedEntity } from './feed-entry.ts';

export type SetBasedChange = {
  entity: FeedEntity;
  /** SQL of the assignments and of the condition, each with `?` for its parameters. */
  set: string;
  setParameters?: readonly unknown[];
  where: string;
  whereParameters?: readonly unknown[];
};

/** Even rows that all have to be read from a slow disk are changed in the time that a statement has. */
const rowsPerStatement = 500;
/** What a change of more rows may wait for the database, in place of its request's time: clients wait for half a minute. */
const longChangeMilliseconds = 25_000;

/**
 * Changes any number of the account's rows without loading them: each gets the stamp and a feed entry of its own,
 * exactly as if it had been flushed. The unit of work is flushed first, so that both agree. Throws service_unavailable
 * for more rows than there is time for.
 */
export async function changeRows(session: WriteSession, change: SetBasedChange): Promise<void> {
  const { em, account } = session;
  const { entity, where, whereParameters = [] } = change;
  await em.flush();
  // A cursor finds what was there when it was declared (PostgreSQL, DECLARE), whatever is changed meanwhile.
  await tellNext(
    em,
    `declare changing no scroll cursor for select id from tasks.${entity} where account_id = ? and (${where})`,
    [account.id, ...whereParameters],
  );
  if (await changeNext(session, change)) {
    await withDatabaseTime(Math.max(longChangeMilliseconds, databaseTimeLeft()), () =>
      changeRest(session, change),
    );
  }
  await tellNext(em, 'close changing', []);
}

async function changeRest(session: WriteSession, change: SetBasedChange): Promise<void> {
  do {
    if (databaseTimeLeft() <= 0)
      throw serviceUnavailable(new Error('a change of very many rows took too long'));
    await session.writeEntries();
  } while (await changeNext(session, change));
}

/** Answers whether there may be more. */
async function changeNext(
  { em, account, changedAt, recordChange }: WriteSession,
  { entity, set, setParameters = [] }: SetBasedChange,
): Promise<boolean> {
  const rows = await lookUpRows<{ id: string }>(em, `fetch ${rowsPerStatement} from changing`, []);
  const ids = rows.map(({ id }) => id);
  for (const id of ids) recordChange(entity, id, 'updated');
  if (ids.length > 0)
    await tellNext(
      em,
      `update tasks.${entity} set ${set}, updated_at = ? where account_id = ? and id = any(?::uuid[])`,
      [...setParameters, changedAt, account.id, ids],
    );
  return ids.length === rowsPerStatement;
}
