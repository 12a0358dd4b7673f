import { type EmbeddedRedis, startEmbeddedRedis } from '#local/embedded-redis.ts';
import { freezeProcesses } from './freeze-processes.ts';

export type RedisServer = {
  port: number;
  url: string;
  stop(): Promise<void>;
  /** Empty, on the same port, with the same password. */
  start(): Promise<void>;
  freeze(milliseconds: number): Promise<void>;
};

export async function startRedisServer(): Promise<RedisServer> {
  let server: EmbeddedRedis = await startEmbeddedRedis();
  const { port, password, url } = server;
  return {
    port,
    url,
    stop: () => server.stop(),
    async start() {
      server = await startEmbeddedRedis({ port, password });
    },
    freeze: (milliseconds) => freezeProcesses([server.pid], milliseconds),
  };
}
