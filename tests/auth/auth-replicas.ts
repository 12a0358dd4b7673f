import { createApp } from '#auth-server/app.ts';
import { type Config, readConfig } from '#auth-server/config/config.ts';
import { createContext } from '#auth-server/context.ts';
import { type ApiClient, createApiClient } from '#tests/support/api-client.ts';
import { type CapturedLog, createCapturedLog, waitForRedis } from '#tests/support/captured-log.ts';
import { connectSql, type Sql } from '#tests/support/connect-sql.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { openInProcessServer } from '#tests/support/in-process-server.ts';
import { leaseRedisDatabase } from '#tests/support/redis-lease.ts';
import { unlimited } from '#tests/support/service-settings.ts';
import { createTestAccounts, type TestAccounts } from '#tests/support/test-accounts.ts';
import { createTestClock, type TestClock } from '#tests/support/test-clock.ts';

export const baseUrl = 'https://tasks.example.com';
export const keyEncryptionSecret = 'the signing keys of a test are worth nothing';

export type Replica = { root: string; client: ApiClient };

export type AuthReplicas = TestAccounts & {
  replicas: readonly [Replica, ...Replica[]];
  /** The first of them. */
  client: ApiClient;
  databaseUrl: string;
  sql: Sql;
  clock: TestClock;
  log: CapturedLog['lines'];
  /** One more replica of the same deployment. */
  addReplica(changes?: Partial<Config>): Promise<Replica>;
};

type Owner =
  | { teardown(close: () => Promise<void>): void }
  | { after: { always(close: () => Promise<void>): void } };
type Options = { replicas?: number; config?: Partial<Config> };

/** auth-server alone, any number of times, over one database and one Redis of their own. */
export async function startAuthReplicas(owner: Owner, options: Options = {}): Promise<AuthReplicas> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const started = await start(options, (closer) => closers.push(closer));
    // ava takes no tests any more some moments after the first hook.
    if ('teardown' in owner) owner.teardown(close);
    else owner.after.always(close);
    return started;
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  options: Options,
  closeLater: (closer: () => Promise<void>) => void,
): Promise<AuthReplicas> {
  const database = await createFreshDatabase({ migrated: true });
  closeLater(database.drop);
  const redis = await leaseRedisDatabase();
  closeLater(redis.release);
  const connection = connectSql(database.url);
  closeLater(connection.close);
  const clock = createTestClock();
  const log = createCapturedLog();
  const env = {
    BASE_URL: baseUrl,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    KEY_ENCRYPTION_SECRET: keyEncryptionSecret,
    PORT: '1',
    MANAGEMENT_PORT: '1',
    // The first request reads the keys, while the other tests of the file start replicas of their own.
    DATABASE_WAIT_MILLISECONDS: '30000',
  };

  const addReplica = async (changes: Partial<Config> = {}): Promise<Replica> => {
    const config = { ...readConfig(env), ...unlimited, ...options.config, ...changes };
    const context = await createContext(config, { clock, logger: log.loggerFor('auth-server') });
    closeLater(() => context.close());
    await waitForRedis(log, 'auth-server');
    const server = await openInProcessServer();
    closeLater(() => server.close());
    server.serve(createApp(context));
    const root = `http://127.0.0.1:${server.port}`;
    return { root, client: createApiClient({ root, check: () => undefined }) };
  };

  const first = await addReplica();
  const others = await Promise.all(Array.from({ length: (options.replicas ?? 1) - 1 }, () => addReplica()));
  return {
    ...createTestAccounts(connection.sql),
    replicas: [first, ...others],
    client: first.client,
    databaseUrl: database.url,
    sql: connection.sql,
    clock,
    log: log.lines,
    addReplica,
  };
}
