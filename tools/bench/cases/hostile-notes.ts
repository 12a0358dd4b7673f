import type { Bench } from '../bench.ts';
import { type BenchCase, judgeSamples } from '../bench-case.ts';
import { requestsOf } from '../clients.ts';
import { runLoad, sharedSources } from '../load.ts';
import type { ServerProcess } from '../server-process.ts';
import { percentile } from '../statistics.ts';
import { runSteadyLoad } from '../steady-load.ts';

const listsPerSecond = 200;
/** Repeated up to the limit of the API, each makes another step of the Markdown converter slow. */
const patterns = ['[', '`', '[a](', '<div>', '> ', '[a]: b\n', 'a\n- b\n\n'];
const notesLength = 100_000;

type Loads = { lists: readonly Buffer[]; notes: readonly Buffer[] };

export const hostileNotes: BenchCase = {
  id: 'hostile-notes',
  what: `${listsPerSecond} lists a second, while a client stores notes of 100,000 characters made to be slow`,
  async run(bench) {
    const { databaseUrl, clients } = await bench.world();
    const loads = {
      lists: requestsOf(clients.slice(1_000), () => ({ path: '/tasks' })),
      notes: requestsOf(clients.slice(0, 1_000), (_, index) => {
        const description = (patterns[index % patterns.length] ?? '')
          .repeat(notesLength)
          .slice(0, notesLength);
        return { method: 'POST', path: '/tasks', body: { title: 'Hostile', description } };
      }),
    };
    const ratios: number[][] = [];
    for (let start = 0; start < bench.shape.starts; start += 1) {
      await using service = await bench.startService({ service: 'resource-api', databaseUrl });
      await tailOf(bench, service, { ...loads, notes: [] });
      const rounds: number[] = [];
      for (let round = 0; round < bench.shape.roundsPerStart; round += 1) {
        const alone = await tailOf(bench, service, { ...loads, notes: [] });
        const beside = await tailOf(bench, service, loads);
        bench.report(
          `99th percentile ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside hostile notes`,
        );
        rounds.push(beside / alone);
      }
      ratios.push(rounds);
    }
    return [
      judgeSamples(ratios, {
        what: 'lists beside hostile notes, 99th percentile, against alone',
        bound: { atMost: 1.5 },
      }),
    ];
  },
};

async function tailOf(
  { shape, signal }: Bench,
  service: ServerProcess,
  { lists, notes }: Loads,
): Promise<number> {
  service.emptyLog();
  const load = { port: service.port, milliseconds: shape.blockMilliseconds, signal };
  const storing =
    notes.length > 0 && runLoad({ ...load, sources: sharedSources(notes, 1), expectedStatus: 201 });
  const sources = sharedSources(lists);
  const steady = runSteadyLoad({ ...load, sources, perSecond: listsPerSecond, expectedStatus: 200 });
  const [latencies] = await Promise.all([steady, storing]);
  return percentile(latencies, 0.99);
}
