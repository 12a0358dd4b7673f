import { percentile } from '#tools/faults/load-figures.ts';
import { estimateOf, median } from '../estimate.ts';
import { sharedSources } from '../measure/http-request.ts';
import { measureInStarts, undisturbed } from '../measure/interleave.ts';
import { runSteadyLoad } from '../measure/steady-load.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { describeRatio } from '../report/finding.ts';
import { httpContender } from '../stage/contender.ts';
import { halfOfPossibleRate } from '../stage/half-rate.ts';
import { requestsOf } from '../stage/world-requests.ts';

const connections = 32;

export const halfLoad: BenchCase = {
  id: 'half-load',
  what: 'how long a page of 50 tasks takes at half the rate that the service can answer, sent at a fixed rate',
  goal: 'none',
  async run(bench) {
    const { databaseUrl, clients } = await bench.world();
    const { signal, blockMilliseconds, report } = bench;
    const requests = requestsOf(clients, () => ({ path: '/tasks' }));
    const rates: number[] = [];
    const tails = await measureInStarts(async (parts) => {
      const service = parts.use(await bench.startService({ service: 'resource-api', databaseUrl }));
      const servers = [service];
      const perSecond = await halfOfPossibleRate(
        bench,
        httpContender(bench, { name: 'service', servers, sources: sharedSources(requests) }),
      );
      rates.push(perSecond);
      const load = {
        ports: [service.port],
        sources: sharedSources(requests, connections),
        milliseconds: blockMilliseconds,
        perSecond,
        expectedStatus: 200,
        signal,
      };
      return async (number) => {
        const latencies = await undisturbed(bench, () => {
          service.emptyLog();
          return runSteadyLoad(load);
        });
        const [middle, tail] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
        report(`round ${number + 1}: p50 ${middle.toFixed(1)} ms, p99 ${tail.toFixed(1)} ms`);
        return tail / middle;
      };
    }, bench);
    return [
      {
        id: 'latency',
        what: 'page of 50 tasks at half the possible rate: 99th percentile against the median',
        goal: 'none',
        state: 'told',
        measured: describeRatio(estimateOf(tails)),
        note: `at ${Math.round(median(rates))} a second`,
      },
    ];
  },
};
