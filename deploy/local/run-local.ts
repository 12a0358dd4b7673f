import { hash } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Environment } from '#shared/config/read-env.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { completeProgram, describeEnd, type ProcessEnd } from './child-process.ts';
import type { ConsoleOutput } from './console-output.ts';
import { lockData } from './data-lock.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { startEmbeddedRedis } from './embedded-redis.ts';
import {
  type FirstAccount,
  type FirstStartRequest,
  finishFirstStart,
  makeFirstAccount,
  type RunAdmin,
} from './first-start.ts';
import { canListen } from './free-port.ts';
import { keepKeyEncryptionSecret } from './key-encryption-secret.ts';
import type { LocalConfig } from './local-config.ts';
import { openPathGateway } from './path-gateway.ts';
import { hasCluster } from './postgres-cluster.ts';
import { readRunningInstance, removeRunningInstance, writeRunningInstance } from './running-instance.ts';
import { makeOwnFolder, serviceAccount } from './service-account.ts';
import { environmentOf } from './service-environment.ts';
import { createServiceLogins } from './service-logins.ts';
import { startService } from './service-process.ts';
import { firstAccountNotice, summary } from './summary.ts';
import { buildWebApp, watchWebApp } from './web-app.ts';

type LocalRequest = {
  config: LocalConfig;
  output: ConsoleOutput;
  /** Aborted by the operator, or when a part has ended. */
  stopping: AbortController;
  /** Replaces the existing keys, whose secret is lost. */
  newSigningKeys: boolean;
  /** Rebuilds the web app after each change. */
  watch: boolean;
};

type Part = {
  pid: number;
  ended: Promise<ProcessEnd>;
  /** Of a log that is shown nowhere else. */
  lastLines?(): Promise<string[]>;
  stop(): Promise<void>;
};
type Store = { url: string; description: string };

class PartEndedError extends Error {}

/**
 * Runs the whole service on this machine: stores, migrations, both services, the gateway. When one of them
 * ends, all are stopped. Resolves with the exit code after everything has ended: 0 if the operator stopped
 * it.
 */
export async function runLocal(request: LocalRequest): Promise<number> {
  const { output, stopping } = request;
  const { signal } = stopping;
  const parts = new AsyncDisposableStack();
  let failure: unknown;
  try {
    await startEverything(request, parts);
    if (!signal.aborted) await once(signal, 'abort');
  } catch (error) {
    failure = error;
  }
  if (signal.aborted) failure = signal.reason instanceof PartEndedError ? signal.reason : undefined;
  stopping.abort();
  if (failure === undefined) output.say('Stopping …');
  await parts.disposeAsync();
  // Below what the others log of it.
  output.say(failure === undefined ? 'stopped' : describe(failure));
  return failure === undefined ? 0 : 1;
}

async function startEverything(request: LocalRequest, parts: AsyncDisposableStack): Promise<void> {
  const startedAt = performance.now();
  const { config, output, stopping, newSigningKeys } = request;
  const { baseUrl, dataDirectory } = config;
  parts.use(await claimData(config));
  // Created before the database: a database without it has lost it.
  const keyEncryptionSecret =
    config.keyEncryptionSecret ??
    keepKeyEncryptionSecret(dataDirectory, newSigningKeys || !hasEmbeddedDatabase(config));
  const add = addTo(request, parts);
  const webAppDirectory = path.join(dataDirectory, 'app');
  const webApp = buildWebApp(webAppDirectory, stopping.signal);
  // Awaited below, when the stores have started.
  webApp.catch(() => undefined);
  const redis = await openRedis(config, add);
  const database = await openDatabase(request, add);
  const environment: Environment = {
    ...config.environment,
    BASE_URL: baseUrl,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    KEY_ENCRYPTION_SECRET: keyEncryptionSecret,
    WEB_APP_DIRECTORY: webAppDirectory,
    LOG_LEVEL: config.logLevel,
  };
  await migrate(environment, stopping.signal);
  await webApp;
  if (request.watch) {
    add('build of the web app', watchWebApp(webAppDirectory, output.say));
  }
  const admin = createAdmin(environment, stopping.signal);
  if (newSigningKeys) await admin(['keys', 'replace']);
  // For an external database its owner creates them (deploy/compose/create-logins.sql).
  const logins = config.databaseUrl === undefined ? await createServiceLogins(database.url) : undefined;
  const ports = await startServices(request, environment, add, logins);

  const stateFile = firstStartFile(config);
  const internalRoot = `http://127.0.0.1:${ports['resource-api']}${apiRootPath}`;
  const account = await prepareFirstStart(request, {
    stateFile,
    admin,
    apiRoot: internalRoot,
    databaseUrl: database.url,
  });
  const gateway = await openPathGateway({ ...config, portOf: (service) => ports[service] });
  parts.defer(gateway.close);
  const instance = { baseUrl, databaseUrl: database.url, redisUrl: redis.url, keyEncryptionSecret };
  writeRunningInstance(dataDirectory, { pid: process.pid, ...instance }, config.environment);
  parts.defer(() => removeRunningInstance(dataDirectory));

  output.endStartUp();
  const facts = { baseUrl, apiRoot: `${baseUrl}${apiRootPath}` };
  const seconds = (performance.now() - startedAt) / 1_000;
  const stores = { database: database.description, redis: redis.description };
  output.say(summary({ ...facts, ...stores, dataDirectory, seconds }));
  if (account === undefined) return;
  output.say(firstAccountNotice(account, facts));
  finishFirstStart(stateFile);
}

/** Throws if it is already running or starting, or its port is in use. */
async function claimData({ dataDirectory, port, host }: LocalConfig): Promise<Disposable> {
  const running = readRunningInstance(dataDirectory);
  if (running !== undefined) {
    const where = `at ${running.baseUrl} (process ${running.pid}) on the data in ${running.dataDirectory}`;
    throw new Error(`It is already running ${where}: set DATA_DIR to start another one.`);
  }
  try {
    makeFolder(dataDirectory);
    // A file is none: its path has no entry «.».
    accessSync(`${dataDirectory}/.`, constants.W_OK);
  } catch (error) {
    throw new Error(
      `No data can be kept in ${dataDirectory} (${describe(error)}): set DATA_DIR to another folder.`,
    );
  }
  if (!(await canListen(port, host)))
    throw new Error(`Port ${port} is already in use: stop what listens there, or set PORT to another one.`);
  const lock = lockData(dataDirectory);
  if (lock !== undefined) return lock;
  throw new Error(
    `Another one starts or stops on the data in ${dataDirectory}: ` +
      'wait for it, or set DATA_DIR to another folder.',
  );
}

/** Not `recursive`, which never ends where a folder can neither be found nor made, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  // PostgreSQL's user must be able to traverse root's directory.
  mkdirSync(folder, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
}

type Add = <Kind extends Part>(name: string, part: Kind) => Kind;

/** Stops the part with all others, and all others with it. */
function addTo({ output, stopping }: LocalRequest, parts: AsyncDisposableStack): Add {
  return (name, part) => {
    parts.defer(part.stop);
    output.log('info', `${name} is running, process ${part.pid}`);
    void part.ended.then(async (end) => {
      const why = `${name} ${describeEnd(end)}, so everything is stopped.`;
      stopping.abort(new PartEndedError([why, ...((await part.lastLines?.()) ?? [])].join('\n')));
    });
    return part;
  };
}

const postgresDirectory = ({ dataDirectory }: LocalConfig) => path.join(dataDirectory, 'postgres');

function hasEmbeddedDatabase(config: LocalConfig): boolean {
  return config.databaseUrl === undefined && hasCluster(postgresDirectory(config));
}

/** Deleted with an embedded database. */
function firstStartFile(config: LocalConfig): string {
  if (config.databaseUrl === undefined) return path.join(postgresDirectory(config), 'first-start.json');
  const { host, pathname } = new URL(config.databaseUrl);
  const name = hash('sha256', `${host}${pathname}`).slice(0, 12);
  return path.join(config.dataDirectory, `first-start-${name}.json`);
}

async function openDatabase({ config, output }: LocalRequest, add: Add): Promise<Store> {
  if (config.databaseUrl !== undefined) return external(config.databaseUrl, 'DATABASE_URL');
  const directory = postgresDirectory(config);
  const server = add('PostgreSQL', await startEmbeddedPostgres({ directory, onProgress: output.say }));
  const place = server.home === directory ? '' : `, in ${server.home}`;
  return { url: server.url, description: `embedded PostgreSQL${place}` };
}

async function openRedis({ redisUrl, embeddedRedis }: LocalConfig, add: Add): Promise<Store> {
  if (redisUrl !== undefined) return external(redisUrl, 'REDIS_URL');
  const server = add('Redis', await startEmbeddedRedis({ kind: embeddedRedis }));
  const description =
    server.kind === 'js'
      ? 'js-redis-server (in JavaScript, for one machine; ' +
        'a valkey-server or redis-server on PATH is preferred)'
      : `${server.kind} from PATH, private to this start`;
  return { url: server.url, description };
}

function external(url: string, variable: string): Store {
  const { host, pathname } = new URL(url);
  return { url, description: `${host}${pathname} (${variable})` };
}

/** The program logs what it waits for, and why it fails. */
function migrate(env: Environment, signal: AbortSignal): Promise<void> {
  const program = path.join(import.meta.dirname, '../admin/migrate.ts');
  return completeProgram([program], { env, signal }, 'The database could not be brought up to date.');
}

/** The operator's commands, in this process. Reject with their error message, without their parameters. */
function createAdmin(env: Environment, signal: AbortSignal): RunAdmin {
  return async (parameters, standardInput = '') => {
    // Most starts need none of it.
    const { answerCommandLine } = await import('../admin/answer-command-line.ts');
    try {
      return JSON.parse(String(await answerCommandLine(parameters, env, Readable.from([standardInput]))));
    } catch (error) {
      signal.throwIfAborted();
      const { describeFailure } = await import('../admin/describe-failure.ts');
      throw new Error(describeFailure(error));
    }
  };
}

async function startServices(
  { config, output, stopping }: LocalRequest,
  shared: Environment,
  add: Add,
  logins: Record<ServiceName, string> | undefined,
) {
  const { dataDirectory } = config;
  const start = async (name: ServiceName) => {
    const runAs = serviceAccount(name, dataDirectory);
    const folderFor = (folder: string) => makeOwnFolder(dataDirectory, folder, runAs);
    const environment = environmentOf(
      name,
      {
        ...shared,
        // Halves the load time of the services. Another account can't write to the operator's.
        NODE_COMPILE_CACHE:
          (runAs === undefined && shared.NODE_COMPILE_CACHE) || folderFor(`compile-cache-${name}`),
        // Without SMTP_URL, mail is written to files.
        ...(name === 'auth-server' && { MAIL_DIRECTORY: folderFor('mail') }),
      },
      logins?.[name] ?? shared.DATABASE_URL ?? '',
    );
    const onLine = (line: string) => output.serviceLine(name, line);
    return add(name, await startService(name, environment, onLine, runAs));
  };
  const services = { 'auth-server': await start('auth-server'), 'resource-api': await start('resource-api') };
  await Promise.all(Object.values(services).map((service) => service.ready(stopping.signal)));
  return { 'auth-server': services['auth-server'].port, 'resource-api': services['resource-api'].port };
}

/** The service works without this account: errors are shown, and the next start retries. */
async function prepareFirstStart(
  { output, stopping: { signal } }: LocalRequest,
  options: Pick<FirstStartRequest, 'stateFile' | 'admin' | 'apiRoot' | 'databaseUrl'>,
): Promise<FirstAccount | undefined> {
  try {
    return await makeFirstAccount({ ...options, signal, onProgress: output.say });
  } catch (error) {
    signal.throwIfAborted();
    output.log('error', `The local account is not complete (${describe(error)}); the next start goes on.`);
    return undefined;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
