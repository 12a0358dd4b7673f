import test from 'ava';
import type { RecordSource } from '#resource-api/auth/token-cache.ts';
import type { ApiClient } from '../support/api-client.ts';
import { waitFor } from '../support/wait-for.ts';
import { patient, recordsFrom, startRevocationWorld, waitUntilRemembered } from './revocation-world.ts';

const parts = new AsyncDisposableStack();
const { stack, database } = await startRevocationWorld({ teardown: (close) => parts.defer(close) });
test.after.always(() => parts.disposeAsync());

const realNow = Date.now;
test.afterEach.always(() => {
  Date.now = realNow;
  database.proxy.setMode('pass');
});

/** Resolves when so many polls have been sent: all but the last are applied. */
async function waitForPolls(count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  const stop = database.proxy.onClientData((bytes) => {
    if (bytes.includes('principal-changes') && ++seen === count) resolve();
  });
  await promise;
  stop();
}

/** Whether the client's next request has its record from there. On a busy machine Redis may reply late. */
async function isReadFor(source: RecordSource, client: ApiClient): Promise<boolean> {
  const before = [await recordsFrom(stack, source), await recordsFrom(stack, 'redis_away')] as const;
  await client.get('/me');
  if ((await recordsFrom(stack, 'redis_away')) > before[1]) return isReadFor(source, client);
  return (await recordsFrom(stack, source)) > before[0];
}

for (const moved of [3_000, -3_000]) {
  test.serial(`the clock moved by ${moved / 1_000} s, as after a suspension, ends the lease`, async (t) => {
    const client = await stack.newClient();
    // A poll may come in between: it grants another lease.
    await waitFor(async () => {
      Date.now = realNow;
      await waitUntilRemembered(stack, client);
      Date.now = () => realNow() + moved;
      return isReadFor('lease_lapsed', client);
    }, patient);
    t.pass();
  });
}

test.serial('after half a minute without a poll no earlier record counts', async (t) => {
  const client = await stack.newClient();
  await waitUntilRemembered(stack, client);
  Date.now = () => realNow() + 31_000;
  await waitForPolls(3);
  t.true(await isReadFor('change_polled', client));
});

test.serial('a lease begins when its poll was sent, however late the answer', async (t) => {
  const client = await stack.newClient();
  await waitUntilRemembered(stack, client);
  database.proxy.setMode({ latencyMilliseconds: 2_200 });
  await waitForPolls(2);
  t.true(await isReadFor('lease_lapsed', client));
});

test.serial('a row that moves is changed for both accounts; changes count with triggers off', async (t) => {
  const [client, other] = [await stack.newClient(), await stack.newClient()];
  const { tokenId } = client.token;
  const { accountId } = other.account;
  await waitUntilRemembered(stack, client);
  await stack.sql`update auth.api_token set account_id = ${accountId} where id = ${tokenId}`;
  await waitFor(
    async () => (await client.get<{ accountId: string }>('/me')).body.accountId === accountId,
    patient,
  );
  await waitUntilRemembered(stack, client);
  await stack.sql`update auth.api_token set revoked_at = now()
    where id = ${tokenId} and set_config('session_replication_role', 'replica', true) = 'replica'`;
  await waitFor(async () => (await client.get('/me')).status === 401, patient);
  t.pass();
});

test.serial('changes that a dump brought from another server invalidate nothing', async (t) => {
  const client = await stack.newClient();
  await stack.sql`insert into auth.principal_change (xid, account_id)
    values ('4611686018427387904', ${client.account.accountId})`;
  await waitUntilRemembered(stack, client);
  await waitForPolls(3);
  t.true(await isReadFor('cached', client));
});

test.serial('another timeline of PostgreSQL, as after a failover, invalidates every record', async (t) => {
  await stack.sql`create schema forged`;
  await stack.sql`create table forged.timeline as select '00000001' as name`;
  await stack.sql`create function forged.pg_walfile_name(pg_lsn) returns text language sql security definer
    as 'select name from forged.timeline'`;
  await stack.sql`grant usage on schema forged to public`;
  await stack.sql`do $$ begin
    execute format('alter database %I set search_path = forged, pg_catalog, public', current_database());
  end $$`;
  const client = await stack.newClient();
  // Connections made from now on find it.
  database.proxy.setMode('cut');
  await waitForPolls(3);
  await waitUntilRemembered(stack, client);
  await stack.sql`update forged.timeline set name = '00000002'`;
  await waitForPolls(3);
  t.true(await isReadFor('change_polled', client));
});
