import type { Bench } from '../bench.ts';
import { type BenchCase, judgeSamples } from '../bench-case.ts';
import { requestsOf } from '../clients.ts';
import { type RequestSource, runLoad, sharedSources } from '../load.ts';
import { connectRefreshSources, startAuthServer } from '../oauth-apps.ts';
import { newTask } from '../operations.ts';
import { residentMegabytes } from '../processes.ts';
import type { ServerProcess } from '../server-process.ts';

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
  await using authServer = await startAuthServer(bench, { databaseUrl });
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
