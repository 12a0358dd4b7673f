import { Client } from 'pg';
import { waitFor } from '#tests/support/wait-for.ts';

type HeldTable = {
  /** Resolves when this many statements wait for the table. */
  waiting(count: number): Promise<void>;
  /** Lets them go on. */
  release(): Promise<void>;
};

/** Locks a table, so that requests that read it stay under way until they are let go. */
export async function holdTable(
  owner: { teardown(after: () => Promise<void>): void },
  databaseUrl: string,
  table: string,
): Promise<HeldTable> {
  const holder = new Client({ connectionString: databaseUrl });
  const observer = new Client({ connectionString: databaseUrl });
  for (const client of [holder, observer]) {
    await client.connect();
    owner.teardown(() => client.end());
  }
  await holder.query('begin');
  await holder.query(`lock table ${table} in access exclusive mode`);
  const waitingCount = async (): Promise<number> => {
    const { rows } = await observer.query(
      // A table has the same id in every database that was copied from the same template.
      `select count(*)::integer as count from pg_locks where relation = '${table}'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows[0].count;
  };
  return {
    async waiting(count) {
      await waitFor(async () => (await waitingCount()) >= count, {
        timeoutMilliseconds: 15_000,
        what: `${count} statements to wait for ${table}`,
      });
    },
    async release() {
      await holder.query('commit');
    },
  };
}
