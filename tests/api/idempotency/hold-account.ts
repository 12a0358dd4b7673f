import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExecutionContext } from 'ava';
import { resourceApiRole } from '#resource-api/database/tasks-database.ts';
import { connectAsRole } from '#tests/support/connect-as-role.ts';
import type { AccountClient, Stack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

type HeldAccount = {
  /** Resolves when a write of the account waits. */
  untilAwaited(): Promise<void>;
  release(): Promise<void>;
};

/**
 * Takes the account's lock, as a write of another replica would, and does `work` under it; commits when it is
 * released. Replicas in one process would not do: they take turns before they come to the lock.
 */
export async function holdAccount(
  t: ExecutionContext,
  { sql, databaseUrl }: Stack,
  { account }: AccountClient,
  work: (em: EntityManager) => Promise<void> = async () => undefined,
): Promise<HeldAccount> {
  const orm = await connectAsRole(t, databaseUrl, resourceApiRole);
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  t.teardown(() => released.resolve());
  const holding = orm.em.fork().transactional(async (em) => {
    await em.execute('select * from tasks.open_write(?)', [account.accountId]);
    await work(em);
    held.resolve();
    await released.promise;
  });
  await Promise.race([held.promise, holding]);
  return {
    async untilAwaited() {
      const waiters = () => sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await waitFor(async () => (await waiters()).length > 0, {
        timeoutMilliseconds: 20_000,
        what: 'a write that waits for the account',
      });
    },
    async release() {
      released.resolve();
      await holding;
    },
  };
}
