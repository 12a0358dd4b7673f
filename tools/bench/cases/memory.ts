import { residentMegabytes } from '../../processes.ts';
import { type Bench, createWorld } from '../bench.ts';
import { type BenchCase, judgeCount, judgeSamples } from '../bench-case.ts';
import { requestsOf } from '../clients.ts';
import { type RequestSource, runLoad, sharedSources } from '../load.ts';
import { connectRefreshSources, startAuthServer } from '../oauth-apps.ts';
import { newTask } from '../operations.ts';
import type { ServerProcess } from '../server-process.ts';

/** Enough for a load whose tokens stay below their limits. */
const fewClients = 4_000;
const manyClients = 100_000;
const requestsPerKnownClient = 3;

/** Memory for the tokens, apps and sessions that a process caches. */
export const principals: BenchCase = {
  id: 'principals',
  what: `the memory that ${manyClients.toLocaleString('en')} clients take, each known to the process`,
  async run(bench) {
    const shape = { accounts: manyClients / 5, tokensPerAccount: 5, tasks: 0 };
    const { databaseUrl, clients } = await createWorld(bench.stores, 'principals', shape);
    const requests = requestsPerKnownClient * manyClients;
    const measure = async (count: number): Promise<number> => {
      await using api = await bench.startService({ service: 'resource-api', databaseUrl });
      const sources = sharedSources(requestsOf(clients.slice(0, count), () => ({ path: '/me' })));
      const load = { port: api.port, sources, requests, milliseconds: 600_000, expectedStatus: 200 };
      const sent = await runLoad({ ...load, signal: bench.signal });
      bench.report(`${sent.requests} requests of ${count} clients`);
      return Math.round(residentMegabytes(api.pid));
    };
    const [few, many] = [await measure(fewClients), await measure(manyClients)];
    const shown = (count: number): string => count.toLocaleString('en');
    return [
      judgeCount(many - few, {
        what: `memory of ${shown(manyClients)} known clients, more than that of ${shown(fewClients)}`,
        bound: { atMost: 60 },
        unit: 'MB',
        note: `(${many} and ${few})`,
      }),
    ];
  },
};

type Peaks = { reads: number; writes: number; refreshes: number };

export const memory: BenchCase = {
  id: 'memory',
  what: 'the most memory of a process under load',
  async run(bench) {
    const peaks: Peaks[] = [];
    for (let run = 0; run < (bench.isQuick ? 1 : 3); run += 1) peaks.push(await measurePeaks(bench));
    const judge = (of: keyof Peaks, what: string, atMost: number) =>
      judgeSamples(
        peaks.map((peak) => [peak[of]]),
        { what: `memory of ${what}`, bound: { atMost }, unit: 'MB' },
      );
    return [
      judge('reads', 'resource-api responding to lists', 160),
      judge('writes', 'resource-api storing notes, its threads included', 160),
      judge('refreshes', 'auth-server refreshing', 150),
    ];
  },
};

async function measurePeaks(bench: Bench): Promise<Peaks> {
  const { databaseUrl, clients } = await bench.world();
  const lists = sharedSources(requestsOf(clients, () => ({ path: '/tasks' })));
  const creates = sharedSources(
    requestsOf(clients, () => ({ method: 'POST', path: '/tasks', body: newTask })),
  );
  await using api = await bench.startService({ service: 'resource-api', databaseUrl });
  const reads = await peakMegabytes(bench, api, lists, 200);
  const writes = await peakMegabytes(bench, api, creates, 201);
  await using authServer = await startAuthServer(bench, databaseUrl);
  const sources = await connectRefreshSources(databaseUrl, authServer);
  return { reads, writes, refreshes: await peakMegabytes(bench, authServer, sources, 200) };
}

async function peakMegabytes(
  { isQuick, signal }: Bench,
  { pid, port }: ServerProcess,
  sources: readonly RequestSource[],
  expectedStatus: number,
): Promise<number> {
  let peak = residentMegabytes(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid));
  }, 100);
  try {
    const milliseconds = isQuick ? 6_000 : 30_000;
    await runLoad({ port, sources, milliseconds, expectedStatus, signal });
    return Math.round(peak);
  } finally {
    clearInterval(timer);
  }
}
