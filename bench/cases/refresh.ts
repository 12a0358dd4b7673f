import { encodeRequest } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import { type RequestSource, sendOnce } from '../measure/load.ts';
import { median } from '../paired-ratio.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareRates, figure } from '../report/finding.ts';
import type { Bench } from '../stage/bench.ts';
import { httpContender } from '../stage/contender.ts';
import { openConnector, startAuthServer } from '../stage/oauth-apps.ts';
import { refreshSource } from '../stage/refresh-source.ts';

const apps = 16;
/** Ten times what a large provider states for one core. */
const refreshesPerCoreSecond = 1_200;

export const refresh: BenchCase = {
  id: 'refresh',
  what: 'POST /oauth/token, a refresh',
  goal: 'refreshes a second: at least half of oidc-provider’s with its adapter in memory; 1,200 for each core',
  async run(bench) {
    const { databaseUrl } = await bench.world();
    await using service = await startAuthServer(bench, { databaseUrl });
    await using reference = await bench.startReference('memory-provider', databaseUrl);
    const connector = await openConnector(databaseUrl, service);
    const ours: RequestSource[] = [];
    for (let count = 0; count < apps; count += 1) {
      const { clientId, tokens } = await connector.connect();
      ours.push(refreshSource({ clientId, refreshToken: tokens.refresh_token }));
    }
    const theirs = (await readRefreshTokens(bench, reference.port)).map((refreshToken) =>
      refreshSource({ clientId: 'app', refreshToken }),
    );
    const rounds = await interleave<'service' | 'memory'>(
      [
        httpContender(bench, { name: 'service', servers: [service], sources: ours }),
        httpContender(bench, { name: 'memory', servers: [reference], sources: theirs }),
      ],
      bench,
    );
    return [
      compareRates(rounds, {
        id: 'memory',
        what: 'refresh, against oidc-provider in memory',
        goal: '≥ 0.5',
        bound: { atLeast: 0.5 },
        ours: 'service',
        reference: 'memory',
      }),
      figure({
        id: 'per-core',
        what: 'refreshes for a second of auth-server’s processor time',
        goal: `≥ ${refreshesPerCoreSecond}`,
        bound: { atLeast: refreshesPerCoreSecond },
        value: Math.round(1_000 / median(rounds.map(({ service: { processor } }) => processor.server))),
        unit: '',
      }),
    ];
  },
};

async function readRefreshTokens({ signal }: Bench, port: number): Promise<string[]> {
  const { body } = await sendOnce(port, encodeRequest({ path: '/refresh-tokens' }), signal);
  return JSON.parse(String(body));
}
