import type { Block, Contender, ProcessorTime } from '../measure/interleave.ts';
import { type RequestSource, runLoad } from '../measure/load.ts';
import { familyMilliseconds, processMilliseconds } from '../measure/process-time.ts';
import type { Bench } from './bench.ts';
import type { ServerProcess } from './server-process.ts';

export type HttpContender<Name extends string> = {
  name: Name;
  /** One, or replicas that share the load. */
  servers: readonly ServerProcess[];
  sources: readonly RequestSource[];
  /** 200 unless given. */
  expectedStatus?: number;
};

/** A server under as many requests as it can answer. */
export function httpContender<Name extends string>(
  { stores, signal }: Bench,
  { name, servers, sources, expectedStatus = 200 }: HttpContender<Name>,
): Contender<Name> {
  return {
    name,
    run(milliseconds) {
      for (const server of servers) server.emptyLog();
      const ports = servers.map(({ port }) => port);
      const serverPids = servers.map(({ pid }) => pid);
      return measureBlock({ serverPids, stores }, () =>
        runLoad({ ports, sources, milliseconds, expectedStatus, signal }),
      );
    },
  };
}

type Watched = { serverPids: readonly number[]; stores: Bench['stores'] };

/** Processor times around `work`, per request. */
export async function measureBlock(
  { serverPids, stores }: Watched,
  work: () => Promise<{ requests: number; milliseconds: number }>,
): Promise<Block> {
  const read = (): ProcessorTime => ({
    server: serverPids.reduce((sum, pid) => sum + processMilliseconds(pid), 0),
    database: familyMilliseconds(stores.postgresPid),
    redis: processMilliseconds(stores.redisPid),
    client: processMilliseconds(process.pid),
  });
  const before = read();
  const { requests, milliseconds } = await work();
  const after = read();
  const used = (part: keyof ProcessorTime): number => after[part] - before[part];
  return {
    requests,
    milliseconds,
    processor: {
      server: used('server') / requests,
      database: used('database') / requests,
      redis: used('redis') / requests,
      client: used('client') / requests,
    },
    busy: used('server') / milliseconds,
  };
}
