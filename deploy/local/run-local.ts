import path from 'node:path';
import type { Environment } from '#shared/config/read-env.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { ConsoleOutput } from './console-output.ts';
import { holdDataDirectory } from './data-directory.ts';
import { type FirstAccount, finishFirstStart, makeFirstAccount } from './first-start.ts';
import { keepKeyEncryptionSecret } from './key-encryption-secret.ts';
import { availableAddresses } from './listen-addresses.ts';
import type { LocalConfig } from './local-config.ts';
import { startServices } from './local-services.ts';
import { hasEmbeddedDatabase, openStores } from './local-stores.ts';
import { createOperatorCommand, type OperatorCommand } from './operator-command.ts';
import { openPathGateway } from './path-gateway.ts';
import { dismissGuardian } from './process-guardian.ts';
import { ProgramFailedError, runProgram } from './run-program.ts';
import { removeRunningInstance, writeRunningInstance } from './running-instance.ts';
import { firstAccountNotice, summary } from './summary.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The files that are run as programs of their own. */
export type LocalPrograms = {
  services: Readonly<Record<ServiceName, string>>;
  migrate: string;
  operator: string;
};

const PROGRAMS: LocalPrograms = {
  services: {
    'auth-server': path.join(ROOT, 'services/auth-server/src/main.ts'),
    'resource-api': path.join(ROOT, 'services/resource-api/src/main.ts'),
  },
  migrate: path.join(ROOT, 'deploy/admin/migrate.ts'),
  operator: path.join(ROOT, 'deploy/admin/admin.ts'),
};

export type LocalRequest = {
  config: LocalConfig;
  output: ConsoleOutput;
  /** Aborts when everything is to be stopped. */
  signal: AbortSignal;
  /** Goes on without the keys there are, whose secret is lost. */
  newSigningKeys?: boolean;
  programs?: LocalPrograms;
};

/**
 * Runs the whole service on this machine until `signal` aborts: stores, migrations, both services, the gateway.
 * Everything it started has ended when it resolves. Resolves with the exit code: 1 when it could not be started.
 */
export async function runLocal(request: LocalRequest): Promise<number> {
  const { output, signal } = request;
  const parts = new AsyncDisposableStack();
  let failed = false;
  try {
    await startEverything({ programs: PROGRAMS, newSigningKeys: false, ...request }, parts);
    await aborted(signal);
  } catch (error) {
    failed = !signal.aborted;
    if (failed) output.say(explain(error));
  }
  if (!failed) output.say('Stopping …');
  await parts.disposeAsync();
  await dismissGuardian();
  if (!failed) output.say('stopped');
  return failed ? 1 : 0;
}

async function startEverything(request: Required<LocalRequest>, parts: AsyncDisposableStack): Promise<void> {
  const { config, output, signal, newSigningKeys, programs } = request;
  const startedAt = performance.now();
  const { baseUrl, dataDirectory } = config;
  parts.use(holdDataDirectory(dataDirectory));
  const hosts = await availableAddresses(config.port, config.hosts);

  // Made before the database is, so that a database without it has lost it.
  const keyEncryptionSecret =
    config.keyEncryptionSecret ??
    keepKeyEncryptionSecret(dataDirectory, newSigningKeys || !hasEmbeddedDatabase(config));
  output.hide(keyEncryptionSecret);
  const { database, redis } = await openStores(request, parts);
  const environment: Environment = {
    // Halves the time in which the services load.
    NODE_COMPILE_CACHE: path.join(dataDirectory, 'compile-cache'),
    ...config.environment,
    BASE_URL: baseUrl,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    KEY_ENCRYPTION_SECRET: keyEncryptionSecret,
    LOG_LEVEL: config.logLevel,
    // The embedded server has no certificate.
    ...(config.databaseUrl === undefined && { PGSSLMODE: 'disable' }),
  };
  await runProgram({
    entry: programs.migrate,
    environment,
    signal,
    onErrorText: (text) => output.say(text.trim()),
  });
  const operator = createOperatorCommand(programs.operator, environment, signal);
  if (newSigningKeys) await operator.replaceSigningKeys();

  const services = await startServices({ entries: programs.services, environment, output, signal });
  parts.defer(services.stop);
  const account = await prepareFirstStart({
    ...request,
    operator,
    stateFile: database.firstStartFile,
    apiRoot: `http://127.0.0.1:${services.portOf('resource-api')}${apiRootPath}`,
  });

  const { port, trustedProxyHops } = config;
  // Asked for once more, because another program may have taken it meanwhile.
  await availableAddresses(port, hosts);
  const gateway = await openPathGateway({ port, hosts, portOf: services.portOf, trustedProxyHops });
  parts.defer(gateway.close);
  writeRunningInstance(dataDirectory, {
    pid: process.pid,
    baseUrl,
    databaseUrl: database.url,
    redisUrl: redis.url,
    keyEncryptionSecret,
  });
  parts.defer(() => removeRunningInstance(dataDirectory));

  const apiRoot = `${baseUrl}${apiRootPath}`;
  const seconds = (performance.now() - startedAt) / 1_000;
  const descriptions = { database: database.description, redis: redis.description };
  output.endStartUp();
  output.say(summary({ baseUrl, apiRoot, dataDirectory, ...descriptions, seconds }));
  if (account) {
    output.say(firstAccountNotice(account, { baseUrl, apiRoot }));
    if (account.isComplete) finishFirstStart(database.firstStartFile);
  }
}

type FirstStart = LocalRequest & {
  operator: OperatorCommand;
  stateFile: string;
  apiRoot: string;
};

/** The service is of use without that account: what goes wrong is said, and tried again at the next start. */
async function prepareFirstStart(request: FirstStart): Promise<FirstAccount | undefined> {
  const { output, signal, operator, stateFile, apiRoot } = request;
  const onProblem = (error: unknown): void => {
    output.log('error', `The local account is not complete: ${explain(error)}`);
  };
  try {
    return await makeFirstAccount({
      stateFile,
      apiRoot,
      signal,
      operator,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      onProgress: output.say,
      onProblem,
      hide: output.hide,
    });
  } catch (error) {
    signal.throwIfAborted();
    onProblem(error);
    return undefined;
  }
}

function explain(error: unknown): string {
  if (error instanceof ProgramFailedError && error.output !== '') return `${error.message}:\n${error.output}`;
  return error instanceof Error ? error.message : String(error);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
