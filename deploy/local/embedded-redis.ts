import { randomBytes } from 'node:crypto';
import { findFreePort } from './free-port.ts';
import { launchJsRedis } from './js-redis-launcher.ts';
import type { ProcessEnd } from './process-end.ts';
import { findRedisBinaries, launchRedisBinary } from './redis-binary.ts';

export type EmbeddedRedis = {
  /** redis://:password@127.0.0.1:port */
  url: string;
  port: number;
  password: string;
  /** The program that runs: 'valkey-server', 'redis-server', or 'js' for the one written in JavaScript. */
  kind: string;
  pid: number;
  ended: Promise<ProcessEnd>;
  stop(): Promise<void>;
};

export type EmbeddedRedisOptions = {
  /** 'auto' prefers a valkey-server or redis-server on PATH; 'js' insists on the JavaScript server. */
  kind?: 'auto' | 'js';
  /** To start again where a server ended: the same port and password, so that its URL stays valid. */
  port?: number;
  password?: string;
};

const MAXIMUM_TRIES = 3;

/** Starts a Redis on 127.0.0.1, kept in memory only, behind a password; it ends with this process. */
export async function startEmbeddedRedis(options: EmbeddedRedisOptions = {}): Promise<EmbeddedRedis> {
  const password = options.password ?? randomBytes(24).toString('base64url');
  const kinds = options.kind === 'js' ? ['js'] : [...(await findRedisBinaries()), 'js'];
  const failures: unknown[] = [];
  for (const kind of kinds) {
    for (let turn = 0; turn < MAXIMUM_TRIES; turn += 1) {
      const launch = { port: options.port ?? (await findFreePort()), password };
      try {
        const running = kind === 'js' ? await launchJsRedis(launch) : await launchRedisBinary(kind, launch);
        return { ...running, ...launch, kind, url: `redis://:${password}@127.0.0.1:${launch.port}` };
      } catch (error) {
        failures.push(error);
      }
    }
  }
  throw new AggregateError(failures, `no Redis could be started: ${String(failures.at(-1))}`);
}
