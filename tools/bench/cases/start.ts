import type { BenchCase } from '../report/bench-case.ts';
import { judgeSamples } from '../report/finding.ts';
import type { Bench, ServiceStart } from '../stage/bench.ts';
import { timeLocalStart } from '../stage/local-start.ts';

/** Of fewer no interval holds the median with 95 %. */
const starts = 6;

export const start: BenchCase = {
  id: 'start',
  what: 'from the start of a process to its readiness',
  goal: 'each service at most 1 s; npm start on existing data at most 4 s',
  async run(bench) {
    return [
      await serviceFinding(bench, 'resource-api'),
      await serviceFinding(bench, 'auth-server'),
      judgeSamples({
        id: 'npm-start',
        what: '`npm start` on existing data',
        goal: '≤ 4 s',
        bound: { atMost: 4 },
        samples: await localStartSeconds(bench),
        unit: 's',
      }),
    ];
  },
};

async function serviceFinding(bench: Bench, service: ServiceStart['service']) {
  const { databaseUrl } = await bench.world();
  const times: number[][] = [];
  // The first one brings the files into memory.
  for (let count = 0; count <= starts; count += 1) {
    await using server = await bench.startService({ service, databaseUrl });
    if (count > 0) times.push([server.startMilliseconds / 1_000]);
  }
  return judgeSamples({
    id: service,
    what: `start of ${service}`,
    goal: '≤ 1 s',
    bound: { atMost: 1 },
    samples: times,
    unit: 's',
  });
}

async function localStartSeconds(bench: Bench): Promise<number[][]> {
  const times: number[][] = [];
  for (let count = 0; count <= (bench.isQuick ? 2 : starts); count += 1) {
    const milliseconds = await timeLocalStart(bench);
    bench.report(`npm start ${count === 0 ? 'for the first time' : 'again'}: ${Math.round(milliseconds)} ms`);
    if (count > 0) times.push([milliseconds / 1_000]);
  }
  return times;
}
