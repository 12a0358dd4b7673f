import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { findFreePort } from '#local/free-port.ts';
import { removeEmbeddedPostgres } from '#local/postgres-cluster.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { projectFolder } from '../../architecture/source-files.ts';
import { type Gateway, startGateway, type Target } from '../gateway/run-gateway.ts';
import { makeSecrets, readComposeFile } from './compose-file.ts';

export type DeployedReplica = Target & {
  service: ServiceName;
  child: ChildProcess;
  ended: Promise<unknown[]>;
};

/** What docker-compose.yml describes, with two replicas of each service, as processes of this machine. */
export type Deployment = {
  gateway: Gateway;
  replicas: readonly DeployedReplica[];
  readSecret(name: string): string;
  /** Runs the operator's command. Returns its line of JSON. */
  admin(...words: string[]): Promise<Record<string, string>>;
};

const replicaServices = ['auth-server', 'auth-server', 'resource-api', 'resource-api'] as const;

/** `programs`: the folder of PostgreSQL's own. */
export async function startDeployment(parts: AsyncDisposableStack, programs: string): Promise<Deployment> {
  const secrets = makeSecrets();
  parts.defer(secrets.remove);
  const readSecret = (name: string) => readFileSync(path.join(secrets.folder, name), 'utf8').trim();
  const database = await startDatabase(parts, programs, secrets.folder);
  const redis = await startRedis(parts, secrets.folder);
  for (const name of readdirSync(secrets.folder).filter((file) => file.endsWith('-url'))) {
    const file = path.join(secrets.folder, name);
    chmodSync(file, 0o600);
    writeFileSync(file, readSecret(name).replace('postgres:5432', database).replace('redis:6379', redis));
  }

  const places = await Promise.all(
    replicaServices.map(async (service) => ({
      service,
      port: await findFreePort(),
      managementPort: await findFreePort(),
    })),
  );
  const targetsOf = (service: ServiceName) => places.filter((place) => place.service === service);
  const gateway = await startGateway(parts, {
    'auth-server': targetsOf('auth-server'),
    'resource-api': targetsOf('resource-api'),
  });
  const start = (name: string, words: readonly string[], variables: Record<string, string> = {}) => {
    const given = Object.entries(readComposeFile().services[name]?.environment ?? {});
    return startProgram(parts, 'node', ['deploy/container/run.ts', name, ...words], {
      ...programEnvironment,
      ...Object.fromEntries(
        given.map(([key, value]) => [key, value.replace('/run/secrets', secrets.folder)]),
      ),
      BASE_URL: gateway.baseUrl,
      DATABASE_WAIT_MILLISECONDS: '20000',
      ...variables,
    });
  };
  await outputOf(start('migrate', []));
  const replicas = places.map((place) => {
    const ports = { PORT: String(place.port), MANAGEMENT_PORT: String(place.managementPort) };
    return { ...place, ...start(place.service, [], { HOST: '127.0.0.1', ...ports }) };
  });
  for (const replica of replicas)
    await waitFor(() => isReady(replica), { timeoutMilliseconds: 90_000, what: replica.service });
  const isInUse = async () => {
    const answers = ['/oauth/jwks', '/api/public/v1/openapi.json'].map((place) =>
      fetch(gateway.baseUrl + place),
    );
    for (const answer of await Promise.all(answers)) await answer.arrayBuffer();
    const metrics = await Promise.all(replicas.map((replica) => manage(replica, '/metrics')));
    return metrics.every((page) => /^http_requests_total\{/m.test(page));
  };
  await waitFor(isInUse, { timeoutMilliseconds: 20_000, what: 'the gateway to use every replica' });
  const admin = async (...words: string[]) => JSON.parse(await outputOf(start('admin', words)));
  return { gateway, replicas, readSecret, admin };
}

/** The text of a path of a replica’s management port. */
export async function manage({ managementPort }: Target, place: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${managementPort}${place}`)).text();
}

async function isReady(replica: DeployedReplica): Promise<boolean> {
  if (replica.child.exitCode !== null) throw new Error(`${replica.service} ended`);
  return (await manage(replica, '/readyz').catch(() => '')).includes('"ready"');
}

/** With the logins that the image of PostgreSQL makes at its first start; host and port. */
async function startDatabase(
  parts: AsyncDisposableStack,
  programs: string,
  secretsFolder: string,
): Promise<string> {
  const directory = path.join(os.tmpdir(), `compose-postgres-${process.pid}`);
  const server = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
  parts.defer(async () => {
    await server.stop();
    removeEmbeddedPostgres(directory);
  });
  const url = new URL(server.url);
  const psql = (...words: string[]) =>
    execFileSync(path.join(programs, 'psql'), ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--quiet', ...words]);
  psql(url.href, '--command', 'create database tasks');
  const script = readFileSync(path.join(projectFolder, 'deploy/compose/create-logins.sql'), 'utf8');
  const file = path.join(secretsFolder, 'create-logins.sql');
  writeFileSync(file, script.replaceAll('/run/secrets', secretsFolder));
  url.pathname = '/tasks';
  psql(url.href, '--file', file);
  return url.host;
}

/** With the users and settings of docker-compose.yml; host and port. */
async function startRedis(parts: AsyncDisposableStack, secretsFolder: string): Promise<string> {
  const port = await findFreePort();
  const words = (readComposeFile().services.redis?.command ?? []).slice(1);
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', os.tmpdir()];
  const parameters = words.map((word) => word.replace('/run/secrets', secretsFolder));
  const { child } = startProgram(parts, 'redis-server', [...own, ...parameters], programEnvironment);
  const isListening = async () => {
    if (child.exitCode !== null) throw new Error('redis-server refused the settings of docker-compose.yml');
    return fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      (error: Error) => !String(error.cause).includes('ECONNREFUSED'),
    );
  };
  await waitFor(isListening, { what: 'Redis' });
  return `127.0.0.1:${port}`;
}

function startProgram(
  parts: AsyncDisposableStack,
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const command = program === 'node' ? process.execPath : program;
  const child = spawn(command, words, { cwd: projectFolder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const output = text(child.stdout);
  parts.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, output };
}

async function outputOf({ ended, output }: ReturnType<typeof startProgram>): Promise<string> {
  const [code] = await ended;
  if (code !== 0) throw new Error(`it ended with ${code}: ${await output}`);
  return output;
}
