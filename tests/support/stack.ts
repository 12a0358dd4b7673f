import type { FetchClientDocument } from '#auth-server/clients/fetch-client-document.ts';
import type { PublicRequestOptions } from '#auth-server/clients/request-public-host.ts';
import { createRevoker } from '#shared/admission/revoker.ts';
import type { MetricsSource } from '#shared/http/health.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { connectRedisNow } from '#shared/redis/connect-redis.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { createCapturedLog, type LogLine } from './captured-log.ts';
import { createContractCheck, type Exchange } from './check-response.ts';
import { connectSql, type Sql } from './connect-sql.ts';
import { createFreshDatabase } from './fresh-database.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { leaseRedisDatabase } from './redis-lease.ts';
import type { Limits } from './service-settings.ts';
import type { ChooseReplica } from './services.ts';
import {
  type AccountOptions,
  createTestAccounts,
  type TestAccount,
  type TestAccounts,
  type TestToken,
  type TokenOptions,
} from './test-accounts.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { type SharedServiceUrls, sharedServiceUrls } from './test-environment.ts';

/**
 * Does what auth-server does after a change of accounts, tokens or apps, for tests that change rows
 * themselves.
 */
async function announceChange(redisUrl: string, accountId: string): Promise<void> {
  const redis = await connectRedisNow(redisUrl);
  try {
    await createRevoker({ redis, waitsAlways: false }).confirm([accountId], performance.now());
  } finally {
    redis.disconnect();
  }
}

type SharedStackOptions = {
  /** Adds auth-server, and the gateway in front of both services. */
  withAuthServer?: boolean;
};

/** Each of them asks for services of the test's own. Limits are far above what tests send, unless given. */
type OwnServices = Limits & {
  /** Services of the test's own, to read log or metrics, set the clock or see all accounts. */
  own: true;
  /** A fixed time; by default the clock is real. */
  now: string | Date;
  /** Further environment variables for the services. */
  environment: Readonly<Record<string, string>>;
  /** Host of the public address, for passkeys, which belong to a name; by default 127.0.0.1. */
  hostName: 'localhost';
  /** How auth-server fetches client metadata documents; by default from the public internet. */
  fetchDocument: FetchClientDocument;
  /** How auth-server reaches logos and push services; by default on the public internet. */
  publicHosts: PublicRequestOptions;
  /** Reminders are queued and sent. */
  withReminders: boolean;
  /** Runs two replicas of each service; called for every request that passes the gateway. */
  chooseReplica: ChooseReplica;
  /** Stores of the test's own, to be stopped or broken. The database is migrated. */
  redisUrl: string;
  databaseUrl: string;
};

type StackOptions = SharedStackOptions & Partial<OwnServices>;
type AnyOf<Options> = { [Name in keyof Options]: Pick<Options, Name> }[keyof Options];
export type OwnStackOptions = StackOptions & AnyOf<OwnServices>;
type NoneOf<Options> = { [Name in keyof Options]?: never };

export type AccountClient = ApiClient & { account: TestAccount; token: TestToken };

export type Stack = TestAccounts & {
  baseUrl: string;
  apiRoot: string;
  databaseUrl: string;
  redisUrl: string;
  sql: Sql;
  /**
   * Must be called after a change by `sql` of an account, its tokens, apps or sessions, before requests show
   * it.
   */
  announceChange(accountId: string): Promise<void>;
  client(token: TestToken | string): ApiClient;
  /** Below the API root, without a token. */
  anonymous: ApiClient;
  /** Below the host's root, without a token. */
  site: ApiClient;
  /** An account of its own, a token and a client that sends it. */
  newClient(options?: AccountOptions & TokenOptions): Promise<AccountClient>;
  close(): Promise<void>;
};

export type OwnStack = Stack & {
  clock: TestClock;
  log: LogLine[];
  /** What the service would serve at /metrics now. */
  metrics(service: ServiceName): Promise<string>;
};

/** The present of the services. */
export function nowOf(stack: Stack | OwnStack): Date {
  return 'clock' in stack ? stack.clock.now() : new Date();
}

/** A test, or ava's `test` itself for a stack that all tests of a file share. */
export type StackOwner =
  | { teardown(close: () => Promise<void>): void }
  | { after: { always(close: () => Promise<void>): void } }
  | undefined;

type Parts = AsyncDisposableStack;

/**
 * The shared services of all test files, where each test has its own account. Any option of `OwnServices`
 * starts services in this process, over a database of their own, until the owner ends.
 */
export async function startStack(owner: StackOwner, options: OwnStackOptions): Promise<OwnStack>;
export async function startStack(
  owner: StackOwner,
  options?: SharedStackOptions & NoneOf<OwnServices>,
): Promise<Stack>;
export async function startStack(owner: StackOwner, options: StackOptions = {}): Promise<Stack> {
  const { withAuthServer, ...ownServices } = options;
  const shared = Object.keys(ownServices).length === 0 ? sharedServiceUrls() : undefined;
  await using starting = new AsyncDisposableStack();
  const stack = await (shared ? connect(shared, starting) : assemble(options, starting));
  const parts = starting.move();
  const close = () => parts.disposeAsync();
  if (owner && 'teardown' in owner) owner.teardown(close);
  else owner?.after.always(close);
  return { ...stack, close };
}

async function assemble(options: StackOptions, parts: Parts): Promise<Omit<OwnStack, 'close'>> {
  const { startServices } = await import('./services.ts');
  const databaseUrl = options.databaseUrl ?? (await openDatabase(parts));
  const redisUrl = options.redisUrl ?? (await openRedis(parts));
  const log = createCapturedLog();
  const clock = createTestClock();
  const metrics = new Map<ServiceName, MetricsSource>();
  if (options.now !== undefined) clock.set(options.now);
  const baseUrl = await startServices({ ...options, databaseUrl, redisUrl, clock, log, metrics }, parts);
  return {
    ...connect({ baseUrl, databaseUrl, redisUrl }, parts),
    clock,
    log: log.lines,
    async metrics(service) {
      const source = metrics.get(service);
      if (source === undefined) throw new Error(`${service} does not run`);
      return source.read();
    },
  };
}

function connect({ baseUrl, databaseUrl, redisUrl }: SharedServiceUrls, parts: Parts): Omit<Stack, 'close'> {
  const connection = connectSql(databaseUrl);
  parts.defer(connection.close);
  const apiRoot = apiRootOf(baseUrl);
  const announce = (accountId: string): Promise<void> => announceChange(redisUrl, accountId);
  const accounts = createTestAccounts(connection.sql, announce);
  const check = createLazyCheck(`${apiRoot}/openapi.json`);
  const client: Stack['client'] = (token) => {
    const secret = typeof token === 'string' ? token : token.secret;
    return createApiClient({ root: apiRoot, headers: { Authorization: `Bearer ${secret}` }, check });
  };
  return {
    ...accounts,
    baseUrl,
    apiRoot,
    databaseUrl,
    redisUrl,
    sql: connection.sql,
    announceChange: announce,
    client,
    anonymous: createApiClient({ root: apiRoot, check }),
    site: createApiClient({ root: baseUrl, check }),
    async newClient(clientOptions = {}) {
      const account = await accounts.createAccount(clientOptions);
      const token = await accounts.createToken(account, clientOptions);
      return { ...client(token), account, token };
    },
  };
}

async function openDatabase(parts: AsyncDisposableStack): Promise<string> {
  const database = await createFreshDatabase({ migrated: true });
  parts.defer(database.drop);
  return database.url;
}

async function openRedis(parts: AsyncDisposableStack): Promise<string> {
  const lease = await leaseRedisDatabase();
  parts.defer(lease.release);
  return lease.url;
}

/** Fetches the document when the first response is checked. */
function createLazyCheck(documentUrl: string): (exchange: Exchange) => Promise<void> {
  let contractCheck: Promise<(exchange: Exchange) => void> | undefined;
  return async (exchange) => {
    contractCheck ??= fetchContractCheck(documentUrl);
    (await contractCheck)(exchange);
  };
}

async function fetchContractCheck(documentUrl: string): Promise<(exchange: Exchange) => void> {
  const response = await fetch(documentUrl);
  if (!response.ok) throw new Error(`${documentUrl} is answered with ${response.status}`);
  return createContractCheck((await response.json()) as OpenApiDocument, documentUrl);
}
