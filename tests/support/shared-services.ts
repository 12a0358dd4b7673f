import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '#local/free-port.ts';
import { openPathGateway } from '#local/path-gateway.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { connectSql } from './connect-sql.ts';
import { databaseUrlOn } from './database-url.ts';
import { programEnvironment } from './program-environment.ts';
import { serviceEnvironment } from './service-settings.ts';
import {
  sharedDatabaseName,
  sharedRedisNumber,
  sharedServicesVariables,
  templateDatabaseName,
  testVariables,
} from './test-environment.ts';
import type { TestServers } from './test-servers.ts';
import { waitFor } from './wait-for.ts';

type SharedServices = { environment: Record<string, string>; stop(): Promise<void> };

type RunningService = { port: number; managementPort: number; child: ChildProcess };

/** Both services of the release in `folder` behind the gateway, for test files that need no others. */
export async function startSharedServices(
  folder: string,
  node: string,
  { environment: servers }: TestServers,
): Promise<SharedServices> {
  const serverUrl = servers[testVariables.databaseUrl] ?? '';
  const redisUrl = new URL(servers[testVariables.redisUrl] ?? '');
  redisUrl.pathname = `/${sharedRedisNumber}`;
  await copyTemplate(serverUrl);
  const stores = { databaseUrl: databaseUrlOn(serverUrl, sharedDatabaseName), redisUrl: redisUrl.href };
  const gatewayPort = await findFreePort();
  const baseUrl = `http://127.0.0.1:${gatewayPort}`;

  await using starting = new AsyncDisposableStack();
  const start = async (name: ServiceName): Promise<RunningService> => {
    const ports = { port: await findFreePort(), managementPort: await findFreePort() };
    const child = spawnService(folder, node, name, {
      ...programEnvironment,
      ...serviceEnvironment(baseUrl, stores),
      HOST: '127.0.0.1',
      PORT: String(ports.port),
      MANAGEMENT_PORT: String(ports.managementPort),
      LOG_LEVEL: 'warn',
    });
    starting.defer(() => endService(child));
    return { ...ports, child };
  };
  const services = { 'resource-api': await start('resource-api'), 'auth-server': await start('auth-server') };
  const gateway = await openPathGateway({
    port: gatewayPort,
    host: '127.0.0.1',
    portOf: (name) => services[name].port,
  });
  starting.defer(gateway.close);
  await Promise.all(Object.entries(services).map(([name, service]) => waitUntilReady(name, service)));
  const parts = starting.move();
  return {
    environment: {
      [sharedServicesVariables.baseUrl]: baseUrl,
      [sharedServicesVariables.databaseUrl]: stores.databaseUrl,
      [sharedServicesVariables.redisUrl]: stores.redisUrl,
    },
    stop: () => parts.disposeAsync(),
  };
}

async function copyTemplate(serverUrl: string): Promise<void> {
  const server = connectSql(serverUrl);
  try {
    await server.run(`create database ${sharedDatabaseName} template ${templateDatabaseName}`);
  } finally {
    await server.close();
  }
}

/** It ends when the channel to this process closes. Its log is stored, to be read after a failure. */
function spawnService(
  folder: string,
  node: string,
  name: ServiceName,
  environment: NodeJS.ProcessEnv,
): ChildProcess {
  const outputFolder = path.join(folder, 'test-output');
  mkdirSync(outputFolder, { recursive: true });
  const log = openSync(path.join(outputFolder, `${name}.log`), 'w');
  const program = path.join(folder, 'tests/support/shared-service.ts');
  return spawn(node, [program, name], {
    cwd: folder,
    env: environment,
    // A session of its own: Ctrl-C in the terminal ends the runner, which then ends it.
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
}

async function endService(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function waitUntilReady(name: string, { child, managementPort }: RunningService): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`${name} could not start: see test-output/${name}.log`);
    const response = await fetch(`http://127.0.0.1:${managementPort}/readyz`).catch(() => undefined);
    return response?.ok === true;
  };
  await waitFor(isReady, { timeoutMilliseconds: 60_000, what: `the start of ${name}` });
}
