import type { Bench } from '../bench.ts';
import { type BenchCase, judgeSamples } from '../bench-case.ts';
import { type Contender, figuresOf, httpContender, interleave, measureBlock } from '../interleave.ts';
import { connectRefreshSources, openConnector, startAuthServer } from '../oauth-apps.ts';
import type { ServerProcess } from '../server-process.ts';

/** Browsers that connect apps at the same time. */
const browsers = 16;

export const oauth: BenchCase = {
  id: 'oauth',
  what: 'auth-server: a refresh, and an app that connects by registration, consent and code',
  async run(bench) {
    const { databaseUrl } = await bench.world();
    const { warmUpRequests } = bench.shape;
    const rounds = await interleave(
      { ...bench, shape: { ...bench.shape, warmUpRequests: warmUpRequests / 10 } },
      async (parts) => {
        const server = parts.use(await startAuthServer(bench, databaseUrl));
        const sources = await connectRefreshSources(databaseUrl, server);
        return [
          httpContender(bench, { name: 'refresh', server, sources, expectedStatus: 200 }),
          await flowContender(bench, databaseUrl, server),
        ];
      },
    );
    const perSecond = (name: string) => figuresOf(rounds, name, ({ server }) => 1_000 / server);
    return [
      judgeSamples(perSecond('refresh'), {
        what: 'refreshes for a second of auth-server’s processor time',
        bound: { atLeast: 1_200 },
      }),
      judgeSamples(perSecond('connect'), {
        what: 'apps connected for a second of auth-server’s processor time',
        bound: { atLeast: 100 },
      }),
    ];
  },
};

async function flowContender(bench: Bench, databaseUrl: string, server: ServerProcess): Promise<Contender> {
  const connectors = await Promise.all(
    Array.from({ length: browsers }, () => openConnector(databaseUrl, server)),
  );
  const connectFor = async (milliseconds: number) => {
    const endsAt = performance.now() + milliseconds;
    const counts = connectors.map(async (connect) => {
      let count = 0;
      for (; performance.now() < endsAt; count += 1) await connect();
      return count;
    });
    return { requests: (await Promise.all(counts)).reduce((sum, count) => sum + count, 0) };
  };
  return {
    name: 'connect',
    run(milliseconds) {
      server.emptyLog();
      return measureBlock(server.pid, bench.stores, () => connectFor(milliseconds));
    },
  };
}
