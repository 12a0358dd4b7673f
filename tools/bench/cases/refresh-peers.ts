import path from 'node:path';
import { encodeRequest } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import { sendOnce } from '../measure/load.ts';
import { installPeer } from '../peers/install-peer.ts';
import { requireSameRefresh } from '../peers/refresh-answer.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { tellRates } from '../report/compare-rounds.ts';
import type { Bench } from '../stage/bench.ts';
import { httpContender } from '../stage/contender.ts';
import { startAuthServer } from '../stage/oauth-apps.ts';
import { connectRefreshSources, refreshSource } from '../stage/refresh-source.ts';
import { type ServerProcess, startServer } from '../stage/server-process.ts';

const peerDatabase = 'better_auth';

type Apps = { clientId: string; refreshTokens: readonly string[] };

export const refreshPeers: BenchCase = {
  id: 'refresh-peers',
  what: 'POST /oauth/token, a refresh, against better-auth over PostgreSQL, which is installed from npm for it',
  goal: 'none',
  async run(bench) {
    const { databaseUrl } = await bench.world();
    const rounds = await interleave<'service' | 'better-auth'>(async (parts) => {
      // Its secret and its users are new each time.
      parts.defer(() => bench.stores.dropDatabase(peerDatabase));
      const peer = parts.use(await startBetterAuth(bench));
      const service = parts.use(await startAuthServer(bench, { databaseUrl }));
      const { clientId, refreshTokens } = await readApps(bench, peer);
      const theirs = refreshTokens.map((refreshToken) => refreshSource({ clientId, refreshToken }));
      const ours = await connectRefreshSources(bench, { databaseUrl, service, apps: theirs.length });
      for (const [index, theirSource] of theirs.entries()) {
        const [ourSource] = ours.slice(index);
        if (ourSource === undefined) throw new Error('an app of ours is missing');
        await requireSameRefresh(
          { port: service.port, source: ourSource },
          { port: peer.port, source: theirSource },
          bench.signal,
        );
      }
      return [
        httpContender(bench, { name: 'service', servers: [service], sources: ours }),
        httpContender(bench, { name: 'better-auth', servers: [peer], sources: theirs }),
      ];
    }, bench);
    return [
      tellRates(rounds, {
        id: 'better-auth',
        what: 'refresh, against better-auth',
        ours: 'service',
        reference: 'better-auth',
      }),
    ];
  },
};

async function startBetterAuth(bench: Bench): Promise<ServerProcess> {
  const { folder } = await installPeer(bench, 'better-auth');
  const databaseUrl = await bench.stores.createDatabase(peerDatabase);
  return startServer({
    script: 'bench/peers/better-auth-server.ts',
    scriptArguments: (port) => [String(port), databaseUrl, folder],
    environment: () => ({ NODE_ENV: 'production' }),
    logFile: path.join(bench.directory, 'better-auth.log'),
  });
}

async function readApps({ signal }: Bench, { port }: ServerProcess): Promise<Apps> {
  const { status, body } = await sendOnce(port, encodeRequest({ path: '/refresh-tokens' }), signal);
  if (status !== 200) throw new Error(`better-auth has no refresh tokens: ${String(body)}`);
  return JSON.parse(String(body));
}
