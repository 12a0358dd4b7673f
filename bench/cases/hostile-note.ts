import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { percentile } from '#tests/faults/load-figures.ts';
import { fillNotes, slowPatterns } from '#tests/notes/hostile-notes.ts';
import { encodeRequest, sharedSources } from '../measure/http-request.ts';
import { undisturbed } from '../measure/interleave.ts';
import { runLoad } from '../measure/load.ts';
import { runSteadyLoad } from '../measure/steady-load.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { judgeRatios } from '../report/finding.ts';
import { httpContender } from '../stage/contender.ts';
import { halfOfPossibleRate } from '../stage/half-rate.ts';
import { requestsOf } from '../stage/world-requests.ts';

export const hostileNote: BenchCase = {
  id: 'hostile-note',
  what: 'GET /tasks at half the possible rate, while somebody stores notes of 100,000 characters made to be slow',
  goal: 'the 99th percentile of the list is at most 1.5 times that without them',
  async run(bench) {
    const { databaseUrl, clients } = await bench.world();
    const { signal, rounds, blockMilliseconds, report } = bench;
    await using service = await bench.startService({ service: 'resource-api', databaseUrl });
    const ports = [service.port];
    const sources = sharedSources(requestsOf(clients.slice(1_000), () => ({ path: '/tasks' })));
    const alone = httpContender(bench, { name: 'alone', servers: [service], sources });
    const perSecond = await halfOfPossibleRate(bench, alone);

    const hostile = hostileRequests(clients.slice(0, 1_000));
    const list = (milliseconds: number) =>
      runSteadyLoad({ ports, sources, milliseconds, perSecond, expectedStatus: 200, signal });
    const disturb = (milliseconds: number) =>
      runLoad({ ports, sources: sharedSources(hostile, 1), milliseconds, expectedStatus: 201, signal });
    const measure = async (isDisturbed: boolean): Promise<number> => {
      service.emptyLog();
      const [latencies] = await Promise.all([
        list(blockMilliseconds),
        ...(isDisturbed ? [disturb(blockMilliseconds)] : []),
      ]);
      return percentile(latencies, 0.99);
    };
    const ratios: number[] = [];
    for (let number = 0; number < rounds; number += 1) {
      const [first, second] = await undisturbed(bench, async () => [
        await measure(number % 2 === 1),
        await measure(number % 2 === 0),
      ]);
      const [quiet, disturbed] = number % 2 === 0 ? [first, second] : [second, first];
      ratios.push(disturbed / quiet);
      report(
        `round ${number + 1} of ${rounds}: p99 ${quiet.toFixed(1)} ms, ${disturbed.toFixed(1)} ms disturbed`,
      );
    }
    return [
      judgeRatios(ratios, {
        id: 'p99',
        what: 'lists beside hostile notes, 99th percentile, against alone',
        goal: '≤ 1.5',
        bound: { atMost: 1.5 },
        note: `${Math.round(perSecond)} lists a second`,
      }),
    ];
  },
};

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
