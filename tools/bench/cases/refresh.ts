import { eachRound } from '../estimate.ts';
import { encodeRequest } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import { sendOnce } from '../measure/load.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareRates } from '../report/compare-rounds.ts';
import { judgeSamples } from '../report/finding.ts';
import type { Bench } from '../stage/bench.ts';
import { httpContender } from '../stage/contender.ts';
import { startAuthServer } from '../stage/oauth-apps.ts';
import { connectRefreshSources, refreshSource } from '../stage/refresh-source.ts';

const apps = 16;
/** Ten times what a large provider states for one core. */
const refreshesPerCoreSecond = 1_200;

export const refresh: BenchCase = {
  id: 'refresh',
  what: 'POST /oauth/token, a refresh',
  goal: 'refreshes a second: at least half of oidc-provider’s with its adapter in memory; 1,200 for each core',
  async run(bench) {
    const { databaseUrl } = await bench.world();
    const rounds = await interleave<'service' | 'memory'>(async (parts) => {
      const service = parts.use(await startAuthServer(bench, { databaseUrl }));
      const reference = parts.use(await bench.startReference('memory-provider', databaseUrl));
      const ours = await connectRefreshSources(bench, { databaseUrl, service, apps });
      const theirs = (await readRefreshTokens(bench, reference.port)).map((refreshToken) =>
        refreshSource({ clientId: 'app', refreshToken }),
      );
      return [
        httpContender(bench, { name: 'service', servers: [service], sources: ours }),
        httpContender(bench, { name: 'memory', servers: [reference], sources: theirs }),
      ];
    }, bench);
    return [
      compareRates(rounds, {
        id: 'memory',
        what: 'refresh, against oidc-provider in memory',
        goal: '≥ 0.5',
        bound: { atLeast: 0.5 },
        ours: 'service',
        reference: 'memory',
      }),
      judgeSamples({
        id: 'per-core',
        what: 'refreshes for a second of auth-server’s processor time',
        goal: `≥ ${refreshesPerCoreSecond}`,
        bound: { atLeast: refreshesPerCoreSecond },
        samples: eachRound(rounds, ({ service }) => 1_000 / service.processor.server),
        unit: '',
      }),
    ];
  },
};

async function readRefreshTokens({ signal }: Bench, port: number): Promise<string[]> {
  const { body } = await sendOnce(port, encodeRequest({ path: '/refresh-tokens' }), signal);
  return JSON.parse(String(body));
}
