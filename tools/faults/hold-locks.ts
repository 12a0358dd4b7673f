import type { DatabaseServer } from './database-server.ts';

/** Holds the locks that writes of these accounts begin with, so that they wait; resolves when they are free again. */
export async function holdAccountLocks(
  database: DatabaseServer,
  accountIds: readonly string[],
  milliseconds: number,
): Promise<void> {
  // The locks belong to the session, which ends with the query.
  await database.query(
    (sql) => sql`
      with held as materialized (
        select pg_advisory_lock(hashtextextended(id, 0)) from unnest(string_to_array(${accountIds.join(',')}, ',')) id
      )
      select pg_sleep(${milliseconds / 1_000}) from (select count(*) from held) counted`,
  );
}
