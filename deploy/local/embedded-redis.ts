import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Redis } from 'ioredis';
import { captureErrors, describeEnd, endOf, spawnDependent, stopProcess } from './child-process.ts';
import { findFreePort } from './free-port.ts';

export type EmbeddedRedis = Awaited<ReturnType<typeof startEmbeddedRedis>>;

type EmbeddedRedisOptions = {
  /** 'auto' prefers a valkey-server or redis-server on PATH; 'js' uses the JavaScript server. */
  kind?: 'auto' | 'js';
  /** To restart a server with the same URL. */
  port?: number;
  password?: string;
};

const jsProgram = path.join(import.meta.dirname, 'js-redis-process.ts');

/** The servers on PATH, the preferred one first. */
export function findRedisBinaries(): string[] {
  return ['valkey-server', 'redis-server'].filter(
    (program) => spawnSync(program, ['--version']).status === 0,
  );
}

/**
 * Starts a Redis on 127.0.0.1, in memory, with a password; it ends with this process. Its `kind` is the
 * program, or 'js'.
 */
export async function startEmbeddedRedis(options: EmbeddedRedisOptions = {}) {
  const { port = await findFreePort(), password = randomBytes(24).toString('base64url') } = options;
  const [kind = 'js'] = options.kind === 'js' ? [] : findRedisBinaries();
  const [program, ...parameters] = kind === 'js' ? [process.execPath, jsProgram] : [kind, '-'];
  const child = spawnDependent(program, parameters, { cwd: '/', stdio: ['pipe', 'ignore', 'pipe'] });
  const errors = captureErrors(child);
  const ended = endOf(child);
  // By standard input, which hides the password from process lists.
  const settings = [`port ${port}`, 'bind 127.0.0.1', `requirepass ${password}`, 'save ""', 'appendonly no'];
  child.stdin?.on('error', () => undefined).end(`${settings.join('\n')}\n`);
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const answer = await Promise.race([client.ping(), ended]).finally(() => client.disconnect());
  if (answer !== 'PONG' || child.pid === undefined)
    throw new Error(`${kind} ${describeEnd(await ended)} while starting: ${await errors()}`);
  return { url, port, password, kind, pid: child.pid, ended, stop: () => stopProcess(child) };
}
