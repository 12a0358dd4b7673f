import { sharedSources } from '../measure/http-request.ts';
import { type LoadOptions, type RequestSource, runLoad } from '../measure/load.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { figure } from '../report/finding.ts';
import type { Bench } from '../stage/bench.ts';
import { openConnector, startAuthServer } from '../stage/oauth-apps.ts';
import { peakMegabytes } from '../stage/peak-memory.ts';
import { refreshSource } from '../stage/refresh-source.ts';
import { sampleNotes } from '../stage/sample-notes.ts';
import { requestsOf } from '../stage/world-requests.ts';

const apps = 16;

export const memory: BenchCase = {
  id: 'memory',
  what: 'memory of a process under load',
  goal: 'resource-api at most 160 MB, auth-server at most 150 MB',
  async run(bench) {
    const told = { goal: '≤ 160 MB', bound: { atMost: 160 }, unit: 'MB' };
    const api = await apiMegabytes(bench);
    return [
      figure({ ...told, id: 'reads', what: 'resource-api answering lists: memory', value: api.reads }),
      figure({
        ...told,
        id: 'writes',
        what: 'resource-api storing notes: memory',
        value: api.writes,
        note: 'the thread that renders notes included',
      }),
      figure({
        id: 'auth-server',
        what: 'auth-server refreshing: memory',
        goal: '≤ 150 MB',
        bound: { atMost: 150 },
        value: await authServerMegabytes(bench),
        unit: 'MB',
      }),
    ];
  },
};

/** First under lists alone, then under new tasks with notes. */
async function apiMegabytes(bench: Bench): Promise<{ reads: number; writes: number }> {
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
  const connector = await openConnector(databaseUrl, service);
  const sources: RequestSource[] = [];
  for (let count = 0; count < apps; count += 1) {
    const { clientId, tokens } = await connector.connect();
    sources.push(refreshSource({ clientId, refreshToken: tokens.refresh_token }));
  }
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
