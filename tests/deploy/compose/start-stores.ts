import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client, escapeLiteral } from 'pg';
import { startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { findRedisBinaries } from '#local/embedded-redis.ts';
import { canListen, findFreePort } from '#local/free-port.ts';
import { removeEmbeddedPostgres } from '#local/postgres-cluster.ts';
import { testRedisUrl } from '#tests/support/test-environment.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { projectFolder } from '../../architecture/source-files.ts';
import { readComposeFile } from './compose-file.ts';
import { makeSecrets } from './make-secrets.ts';

export type Stores = {
  /** What a container would find in /run/secrets: the made secrets, with the addresses of these stores. */
  secretsFolder: string;
  readSecret(name: string): string;
};

/** PostgreSQL and Redis with the logins, users and settings of docker-compose.yml. */
export async function startStores(parts: AsyncDisposableStack): Promise<Stores> {
  const secrets = makeSecrets();
  parts.defer(async () => secrets.remove());
  const readSecret = (name: string) => readFileSync(path.join(secrets.folder, name), 'utf8').trim();
  const postgresAddress = await startPostgres(parts, secrets.folder);
  const redisUrl = await startRedis(parts, secrets.folder, readSecret('redis-url'));
  for (const name of readdirSync(secrets.folder)) {
    const file = path.join(secrets.folder, name);
    chmodSync(file, 0o600);
    const value =
      name === 'redis-url' ? redisUrl : readSecret(name).replace('postgres:5432', postgresAddress);
    writeFileSync(file, `${value}\n`);
  }
  return { secretsFolder: secrets.folder, readSecret };
}

async function startPostgres(parts: AsyncDisposableStack, secretsFolder: string): Promise<string> {
  const directory = path.join(os.tmpdir(), `compose-postgres-${process.pid}`);
  const server = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
  parts.defer(async () => {
    await server.stop();
    removeEmbeddedPostgres(directory);
  });
  await runScript(server.url, 'create database tasks');
  const script = readFileSync(path.join(projectFolder, 'deploy/compose/create-logins.sql'), 'utf8');
  const url = new URL(server.url);
  url.pathname = '/tasks';
  await runScript(url.href, withoutPsql(script, secretsFolder));
  return `127.0.0.1:${server.port}`;
}

async function runScript(url: string, script: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(script);
  } finally {
    await client.end();
  }
}

/** Does what psql does before it sends a statement: `\set name` with what a command says, and `:'name'`. */
function withoutPsql(script: string, secretsFolder: string): string {
  const values = new Map<string, string>();
  const statements = script.replaceAll(
    /^\\set (\w+) `sed '.*' \/run\/secrets\/([\w-]+)`$/gm,
    (_, name, secret) => {
      const { password } = new URL(readFileSync(path.join(secretsFolder, secret), 'utf8').trim());
      values.set(name, password);
      return '';
    },
  );
  return statements.replaceAll(/:'(\w+)'/g, (_, name) => escapeLiteral(values.get(name) ?? ''));
}

/** Without a server that knows users, the run's own Redis takes its place. */
async function startRedis(parts: AsyncDisposableStack, secretsFolder: string, url: string): Promise<string> {
  const [program] = findRedisBinaries();
  if (program === undefined) return testRedisUrl();
  const port = await findFreePort();
  const parameters = (readComposeFile().services.redis?.command ?? [])
    .slice(1)
    .map((word) => word.replace('/run/secrets', secretsFolder));
  const child = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', ...parameters], {
    cwd: os.tmpdir(),
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  parts.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await waitFor(async () => child.exitCode !== null || !(await canListen(port, '127.0.0.1')));
  if (child.exitCode !== null) throw new Error(`${program} refused the settings of docker-compose.yml`);
  return url.replace('redis:6379', `127.0.0.1:${port}`);
}
