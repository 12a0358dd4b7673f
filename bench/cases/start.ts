import { median } from '../paired-ratio.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { figure } from '../report/finding.ts';
import type { Bench, ServiceStart } from '../stage/bench.ts';
import { timeLocalStart } from '../stage/local-start.ts';

const starts = 5;

export const start: BenchCase = {
  id: 'start',
  what: 'from the start of a process to its readiness',
  goal: 'each service at most 1 s; npm start on existing data at most 4 s',
  async run(bench) {
    return [
      await serviceFinding(bench, 'resource-api'),
      await serviceFinding(bench, 'auth-server'),
      figure({
        id: 'npm-start',
        what: '`npm start` on existing data',
        goal: '≤ 4 s',
        bound: { atMost: 4 },
        value: await localStartSeconds(bench),
        unit: 's',
      }),
    ];
  },
};

async function serviceFinding(bench: Bench, service: ServiceStart['service']) {
  const { databaseUrl } = await bench.world();
  const times: number[] = [];
  // The first one brings the files into memory.
  for (let count = 0; count <= starts; count += 1) {
    await using server = await bench.startService({ service, databaseUrl });
    if (count > 0) times.push(server.startMilliseconds);
  }
  return figure({
    id: service,
    what: `start of ${service}`,
    goal: '≤ 1 s',
    bound: { atMost: 1 },
    value: median(times) / 1_000,
    unit: 's',
  });
}

async function localStartSeconds(bench: Bench): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count <= (bench.isQuick ? 1 : starts); count += 1) {
    const milliseconds = await timeLocalStart(`${bench.directory}/local-data`, bench.environment);
    bench.report(`npm start ${count === 0 ? 'for the first time' : 'again'}: ${Math.round(milliseconds)} ms`);
    if (count > 0) times.push(milliseconds);
  }
  return median(times) / 1_000;
}
