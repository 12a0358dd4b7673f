import { percentile } from '#tests/faults/load-figures.ts';
import { sharedSources } from '../measure/http-request.ts';
import { undisturbed } from '../measure/interleave.ts';
import type { RequestSource } from '../measure/load.ts';
import { runSteadyLoad } from '../measure/steady-load.ts';
import { median } from '../paired-ratio.ts';
import type { BenchCase } from '../report/bench-case.ts';
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
    const { signal, rounds, blockMilliseconds, report } = bench;
    await using service = await bench.startService({ service: 'resource-api', databaseUrl });
    const sources: readonly RequestSource[] = sharedSources(
      requestsOf(clients, () => ({ path: '/tasks' })),
      connections,
    );
    const closed = httpContender(bench, { name: 'service', servers: [service], sources });
    const perSecond = await halfOfPossibleRate(bench, closed);
    const medians: number[] = [];
    const tails: number[] = [];
    for (let number = 0; number < rounds; number += 1) {
      const latencies = await undisturbed(bench, () => {
        service.emptyLog();
        return runSteadyLoad({
          ports: [service.port],
          sources,
          milliseconds: blockMilliseconds,
          perSecond,
          expectedStatus: 200,
          signal,
        });
      });
      medians.push(percentile(latencies, 0.5));
      tails.push(percentile(latencies, 0.99));
      report(
        `round ${number + 1} of ${rounds}: p50 ${medians.at(-1)?.toFixed(1)} ms, p99 ${tails.at(-1)?.toFixed(1)} ms`,
      );
    }
    return [
      {
        id: 'latency',
        what: 'page of 50 tasks at half the possible rate: 99th percentile against the median',
        goal: 'none',
        state: 'told',
        measured: `${(median(tails) / median(medians)).toFixed(1)} times`,
        note: `at ${Math.round(perSecond)} a second`,
      },
    ];
  },
};
