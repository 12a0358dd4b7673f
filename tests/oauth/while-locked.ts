import { Client } from 'pg';
import type { Stack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

type Held = {
  /** Of the schema `auth`; what waits for the lock names it. */
  table: string;
  /** What takes the lock, with its values. */
  statement: string;
  values: readonly unknown[];
  end: 'commit' | 'rollback';
};

/**
 * Sends requests while a transaction holds a lock, and ends it as soon as all of them wait for it: so they
 * have all passed what comes before, and are as parallel as they can be.
 */
export async function whileLocked<Answer>(
  { databaseUrl, sql }: Pick<Stack, 'databaseUrl' | 'sql'>,
  { table, statement, values, end }: Held,
  send: () => Promise<Answer>[],
): Promise<Answer[]> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    await database.query('begin');
    await database.query(statement, [...values]);
    const requests = send();
    await untilWaiting(sql, table, requests.length);
    await database.query(end);
    return await Promise.all(requests);
  } finally {
    await database.end();
  }
}

/** Resolves when so many statements that name the table wait for a lock. */
export async function untilWaiting(sql: Stack['sql'], table: string, count: number): Promise<void> {
  const areWaiting = async (): Promise<boolean> => {
    const waiting = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and replace(query, '"', '') like ${`%auth.${table}%`}`;
    return waiting.length >= count;
  };
  await waitFor(areWaiting, { what: `requests to wait for ${table}` });
}
