import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describeEnd } from '#local/child-process.ts';
import type { Environment } from '#shared/config/read-env.ts';
import { lastLines, startLoggedProcess } from '#tests/support/logged-process.ts';
import type { Bench, World } from '../stage/bench.ts';
import { type ServerProcess, startServer } from '../stage/server-process.ts';
import { addAccounts, type DirectusUser } from './directus-accounts.ts';
import { createDirectusDatabase, databaseName } from './directus-database.ts';
import { installPeer } from './install-peer.ts';

/** Directus over the tasks of a world; disposing it drops its database. */
export type Directus = AsyncDisposable & {
  /** It keeps no answers; what it knows of schema and permissions it always keeps. */
  start(): Promise<ServerProcess>;
  /** The same, and it keeps its answers in Redis. */
  startCaching(): Promise<ServerProcess>;
  /** One for each account. */
  users: readonly DirectusUser[];
};

/** What its guide has for production, without what would take time for nobody or leave this machine. */
const production: Environment = {
  NODE_ENV: 'production',
  DB_CLIENT: 'pg',
  LOG_STYLE: 'raw',
  TELEMETRY: 'false',
  WEBSOCKETS_ENABLED: 'false',
  // Else each line is formatted once more, for readers over WebSocket.
  WEBSOCKETS_LOGS_ENABLED: 'false',
  // Refuses requests while the event loop is always busy, which is what a load as great as possible makes it.
  PRESSURE_LIMITER_ENABLED: 'false',
};

export async function prepareDirectus(bench: Bench, { databaseUrl, accountIds }: World): Promise<Directus> {
  const { folder } = await installPeer(bench, 'directus');
  await using parts = new AsyncDisposableStack();
  const workFolder = path.join(bench.directory, 'directus');
  for (const name of ['uploads', 'extensions']) mkdirSync(path.join(workFolder, name), { recursive: true });
  parts.defer(() => bench.stores.dropDatabase(databaseName));
  const settings: Environment = {
    ...production,
    SECRET: randomBytes(32).toString('base64url'),
    DB_CONNECTION_STRING: await createDirectusDatabase(databaseUrl),
  };
  const place = { commandLine: ['bench/peers/become-directus.ts', folder, workFolder], workFolder };
  const adminToken = randomBytes(24).toString('base64url');
  await bootstrap(place, { ...settings, ...administrator(adminToken) }, bench.signal);
  const users = await (async () => {
    await using server = await start(place, 'directus', settings);
    return await addAccounts({ port: server.port, adminToken }, accountIds);
  })();
  const caching = { ...settings, ...answerCache(bench.stores.redisUrl) };
  const kept = parts.move();
  return {
    start: () => start(place, 'directus', settings),
    startCaching: () => start(place, 'directus-caching', caching),
    users,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

type Place = { commandLine: readonly string[]; workFolder: string };

/** Makes Directus' own tables and its administrator. */
async function bootstrap(
  { commandLine, workFolder }: Place,
  environment: Environment,
  signal: AbortSignal,
): Promise<void> {
  const logFile = path.join(workFolder, 'bootstrap.log');
  const { child, ended } = await startLoggedProcess([...commandLine, 'bootstrap'], environment, logFile);
  // Nothing else is under way that this process would stay for.
  child.ref();
  const stop = (): boolean => child.kill();
  signal.addEventListener('abort', stop);
  const end = await ended;
  signal.removeEventListener('abort', stop);
  if (end.code !== 0) throw new Error(`directus bootstrap ${describeEnd(end)}: ${lastLines(logFile)}`);
}

function start(
  { commandLine, workFolder }: Place,
  name: string,
  settings: Environment,
): Promise<ServerProcess> {
  const [script = '', ...scriptArguments] = commandLine;
  return startServer({
    script,
    scriptArguments: () => [...scriptArguments, 'start'],
    environment: (port) => ({ ...settings, PUBLIC_URL: `http://127.0.0.1:${port}` }),
    logFile: path.join(workFolder, `${name}.log`),
  });
}

function administrator(token: string): Environment {
  return {
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: randomBytes(24).toString('base64url'),
    ADMIN_TOKEN: token,
  };
}

/** Every answer for five minutes, or until something is written. */
function answerCache(redisUrl: string): Environment {
  return { CACHE_ENABLED: 'true', CACHE_AUTO_PURGE: 'true', CACHE_STORE: 'redis', REDIS: redisUrl };
}
