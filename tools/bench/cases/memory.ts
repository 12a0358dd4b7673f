import { sharedSources } from '../measure/http-request.ts';
import { type LoadOptions, runLoad } from '../measure/load.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { judgeSamples } from '../report/finding.ts';
import type { Bench } from '../stage/bench.ts';
import { startAuthServer } from '../stage/oauth-apps.ts';
import { peakMegabytes } from '../stage/peak-memory.ts';
import { connectRefreshSources } from '../stage/refresh-source.ts';
import { sampleNotes } from '../stage/sample-notes.ts';
import { requestsOf } from '../stage/world-requests.ts';

const apps = 16;
/** So few that the interval is their range. */
const runs = 3;

/** Megabytes. */
type Peaks = { reads: number; writes: number; 'auth-server': number };

export const memory: BenchCase = {
  id: 'memory',
  what: 'memory of a process under load',
  goal: 'resource-api at most 160 MB, auth-server at most 150 MB',
  async run(bench) {
    const peaks: Peaks[] = [];
    for (let run = 0; run < (bench.isQuick ? 1 : runs); run += 1) {
      peaks.push({ ...(await apiMegabytes(bench)), 'auth-server': await authServerMegabytes(bench) });
    }
    const judge = (id: keyof Peaks, what: string, atMost: number, note = '') =>
      judgeSamples({
        id,
        what: `${what}: memory`,
        goal: `≤ ${atMost} MB`,
        bound: { atMost },
        samples: peaks.map((peak) => [peak[id]]),
        unit: 'MB',
        note: [note, `${peaks.length} processes`].filter(Boolean).join('; '),
      });
    return [
      judge('reads', 'resource-api answering lists', 160),
      judge('writes', 'resource-api storing notes', 160, 'the thread that renders notes included'),
      judge('auth-server', 'auth-server refreshing', 150),
    ];
  },
};

/** First under lists alone, then under new tasks with notes. */
async function apiMegabytes(bench: Bench): Promise<Omit<Peaks, 'auth-server'>> {
  const { databaseUrl, clients } = await bench.world();
  await using service = await bench.startService({ service: 'resource-api', databaseUrl });
  const ports = [service.port];
  const body = { title: 'Order what is missing', description: sampleNotes };
  const lists = sharedSources(requestsOf(clients, () => ({ path: '/tasks' })));
  const creates = sharedSources(requestsOf(clients, () => ({ method: 'POST', path: '/tasks', body })));
  const load = (options: Pick<LoadOptions, 'sources' | 'expectedStatus'>) => () =>
    runLoad({ ...options, ports, milliseconds: loadMilliseconds(bench), signal: bench.signal });
  const reads = await peakMegabytes(service, load({ sources: lists, expectedStatus: 200 }));
  const writes = await peakMegabytes(service, load({ sources: creates, expectedStatus: 201 }));
  return { reads, writes };
}

async function authServerMegabytes(bench: Bench): Promise<number> {
  const { databaseUrl } = await bench.world();
  await using service = await startAuthServer(bench, { databaseUrl });
  const sources = await connectRefreshSources(bench, { databaseUrl, service, apps });
  return await peakMegabytes(service, () =>
    runLoad({
      ports: [service.port],
      sources,
      milliseconds: loadMilliseconds(bench),
      expectedStatus: 200,
      signal: bench.signal,
    }),
  );
}

function loadMilliseconds({ isQuick }: Bench): number {
  return isQuick ? 6_000 : 30_000;
}
