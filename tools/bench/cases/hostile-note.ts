import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { fillNotes, slowPatterns } from '#tests/notes/hostile-notes.ts';
import { percentile } from '#tools/faults/load-figures.ts';
import { median } from '../estimate.ts';
import { encodeRequest, sharedSources } from '../measure/http-request.ts';
import { measureInStarts, undisturbed } from '../measure/interleave.ts';
import { type RequestSource, runLoad } from '../measure/load.ts';
import { runSteadyLoad } from '../measure/steady-load.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { judgeRatios } from '../report/finding.ts';
import type { Bench } from '../stage/bench.ts';
import { httpContender } from '../stage/contender.ts';
import { halfOfPossibleRate } from '../stage/half-rate.ts';
import type { ServerProcess } from '../stage/server-process.ts';
import { requestsOf } from '../stage/world-requests.ts';

export const hostileNote: BenchCase = {
  id: 'hostile-note',
  what: 'GET /tasks at half the possible rate, while somebody stores notes of 100,000 characters made to be slow',
  goal: 'the 99th percentile of the list is at most 1.5 times that without them',
  async run(bench) {
    const { databaseUrl, clients } = await bench.world();
    const { report } = bench;
    const lists = requestsOf(clients.slice(1_000), () => ({ path: '/tasks' }));
    const hostile = hostileRequests(clients.slice(0, 1_000));
    const rates: number[] = [];
    const ratios = await measureInStarts(async (parts) => {
      const service = parts.use(await bench.startService({ service: 'resource-api', databaseUrl }));
      const sources = sharedSources(lists);
      const alone = httpContender(bench, { name: 'alone', servers: [service], sources });
      const perSecond = await halfOfPossibleRate(bench, alone);
      rates.push(perSecond);
      const measure = (isDisturbed: boolean) =>
        tailOf(bench, service, { sources, perSecond, hostile: isDisturbed ? hostile : [] });
      return async (number) => {
        const [first, second] = await undisturbed(bench, async () => [
          await measure(number % 2 === 1),
          await measure(number % 2 === 0),
        ]);
        const [quiet, disturbed] = number % 2 === 0 ? [first, second] : [second, first];
        report(`round ${number + 1}: p99 ${quiet.toFixed(1)} ms, ${disturbed.toFixed(1)} ms disturbed`);
        return disturbed / quiet;
      };
    }, bench);
    return [
      judgeRatios(ratios, {
        id: 'p99',
        what: 'lists beside hostile notes, 99th percentile, against alone',
        goal: '≤ 1.5',
        bound: { atMost: 1.5 },
        note: `${Math.round(median(rates))} lists a second`,
      }),
    ];
  },
};

type Lists = { sources: readonly RequestSource[]; perSecond: number; hostile: readonly Buffer[] };

/** The 99th percentile of lists at that rate, while the hostile notes are stored, if there are any. */
async function tailOf(
  { blockMilliseconds: milliseconds, signal }: Bench,
  service: ServerProcess,
  { sources, perSecond, hostile }: Lists,
): Promise<number> {
  service.emptyLog();
  const to = { ports: [service.port], milliseconds, signal };
  const [latencies] = await Promise.all([
    runSteadyLoad({ ...to, sources, perSecond, expectedStatus: 200 }),
    ...(hostile.length === 0
      ? []
      : [runLoad({ ...to, sources: sharedSources(hostile, 1), expectedStatus: 201 })]),
  ]);
  return percentile(latencies, 0.99);
}

/** Each pattern is slow in its own way; all are as long as notes may be. */
function hostileRequests(clients: readonly { token: string; address: string }[]): Buffer[] {
  const notes = slowPatterns.map(fillNotes);
  return clients.slice(0, 60).map(({ token, address }, index) =>
    encodeRequest({
      method: 'POST',
      path: `${apiRootPath}/tasks`,
      token,
      address,
      body: { title: 'Hostile', description: notes[index % notes.length] },
    }),
  );
}
