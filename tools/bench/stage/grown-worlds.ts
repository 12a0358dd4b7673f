import type { SqlConnection } from '#tests/support/connect-sql.ts';
import type { Bench, World } from './bench.ts';
import { createClients } from './clients.ts';
import { withConnection } from './stores.ts';
import { fillTasks } from './task-rows.ts';

export type Population = {
  accounts: number;
  /** Of the one account that is asked. */
  tasks: number;
  /** Of all accounts together. */
  feedEntries: number;
};

export const smallPopulation: Population = { accounts: 10, tasks: 1_000, feedEntries: 10_000 };

export function grownPopulation({ isQuick }: Bench): Population {
  return isQuick
    ? { accounts: 1_000, tasks: 20_000, feedEntries: 100_000 }
    : { accounts: 100_000, tasks: 1_000_000, feedEntries: 10_000_000 };
}

/** As many as let a few thousand requests a second pass the limit of each token. */
const tokens = 5_000;

/** A database with so much in it; its clients all belong to the one account that has the tasks. */
export async function createPopulatedWorld(
  { stores, report }: Bench,
  name: string,
  population: Population,
): Promise<World> {
  const { accounts, tasks, feedEntries } = population;
  report(`a database of ${accounts} accounts, ${tasks} tasks in one, ${feedEntries} feed entries`);
  const databaseUrl = await stores.createDatabase(name);
  return withConnection(databaseUrl, async (connection) => {
    const clients = await createClients(connection, { accounts: 1, tokensPerAccount: tokens });
    const accountIds = [...new Set(clients.map(({ accountId }) => accountId))];
    await fillTasks(connection, { accountIds, tasks });
    await addOthers(connection, accounts, Math.floor((feedEntries - tasks) / accounts));
    await connection.run('vacuum analyze');
    await connection.run('checkpoint');
    return { databaseUrl, clients, accountIds };
  });
}

/** Accounts with a token and some history each. */
async function addOthers({ sql }: SqlConnection, accounts: number, entriesOfEach: number): Promise<void> {
  await sql`insert into auth.account
    (id, email, email_folded, password_hash, plan, timezone, status, created_at, updated_at)
    select gen_random_uuid(), number || '@other.example', number || '@other.example', 'none', 'free', 'UTC', 'active', now(), now()
    from generate_series(1, ${accounts}::int) number`;
  await sql`insert into auth.api_token (id, account_id, name, scopes, token_hash, last_four, created_at)
    select gen_random_uuid(), id, 'Other', '{read}', sha256(id::text::bytea), 'none', now()
    from auth.account where plan = 'free'`;
  await sql`insert into tasks.feed_entry (account_id, sequence, entity, entity_id, change, changed_at)
    select id, number, 'task', gen_random_uuid(), 'updated', now()
    from auth.account, generate_series(1, ${entriesOfEach}::int) number where plan = 'free'`;
  await sql`insert into tasks.account_feed (account_id, last_sequence, last_changed_at)
    select id, ${entriesOfEach}::int, now() from auth.account where plan = 'free'`;
}
