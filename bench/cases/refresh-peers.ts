import path from 'node:path';
import { encodeRequest } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import { type RequestSource, sendOnce } from '../measure/load.ts';
import { installPeer } from '../peers/install-peer.ts';
import { requireSameRefresh } from '../peers/refresh-answer.ts';
import { tellRates } from '../peers/told-finding.ts';
import type { BenchCase } from '../report/bench-case.ts';
import type { Bench } from '../stage/bench.ts';
import { httpContender } from '../stage/contender.ts';
import { openConnector, startAuthServer } from '../stage/oauth-apps.ts';
import { refreshSource } from '../stage/refresh-source.ts';
import { type ServerProcess, startServer } from '../stage/server-process.ts';

type Apps = { clientId: string; refreshTokens: readonly string[] };

export const refreshPeers: BenchCase = {
  id: 'refresh-peers',
  what: 'POST /oauth/token, a refresh, against better-auth over PostgreSQL, which is installed from npm for it',
  goal: 'none',
  async run(bench) {
    const { databaseUrl } = await bench.world();
    await using peer = await startBetterAuth(bench);
    await using service = await startAuthServer(bench, { databaseUrl });
    const { clientId, refreshTokens } = await readApps(bench, peer);
    const connector = await openConnector(databaseUrl, service);
    const ours: RequestSource[] = [];
    const theirs: RequestSource[] = [];
    for (const refreshToken of refreshTokens) {
      const app = await connector.connect();
      const our = refreshSource({ clientId: app.clientId, refreshToken: app.tokens.refresh_token });
      const their = refreshSource({ clientId, refreshToken });
      await requireSameRefresh(
        { port: service.port, source: our },
        { port: peer.port, source: their },
        bench.signal,
      );
      ours.push(our);
      theirs.push(their);
    }
    const rounds = await interleave<'service' | 'better-auth'>(
      [
        httpContender(bench, { name: 'service', servers: [service], sources: ours }),
        httpContender(bench, { name: 'better-auth', servers: [peer], sources: theirs }),
      ],
      bench,
    );
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
  const databaseUrl = await bench.stores.createDatabase('better_auth');
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
