import { isDeepStrictEqual } from 'node:util';
import { decodeProtectedHeader } from 'jose';
import { type BenchCase, judgeSamples } from '../bench-case.ts';
import { requestsOf } from '../clients.ts';
import { httpContender, interleave, processorRatios } from '../interleave.ts';
import { type RequestSource, sendOnce, sharedSources } from '../load.ts';
import { connectRefreshSources, refreshSource, startAuthServer } from '../oauth-apps.ts';
import { peerDatabase, readApps, startBetterAuth } from '../peers/better-auth.ts';
import { pageRequest, prepareDirectus, requireSamePage } from '../peers/directus.ts';

export const directusPage: BenchCase = {
  id: 'directus',
  what: 'a page of 50 tasks, against Directus, which is installed from npm for it',
  async run(bench) {
    const world = await bench.world();
    const { databaseUrl, clients } = world;
    // First: its database is a copy of the world, which nothing may use meanwhile.
    await using directus = await prepareDirectus(bench, world);
    const ours = requestsOf(clients, () => ({ path: '/tasks' }));
    const theirs = directus.users.map(pageRequest);
    // Directus handles fewer requests a second, so it needs longer to warm up.
    const longestWarmUpMilliseconds = 2.5 * bench.shape.longestWarmUpMilliseconds;
    const shape = { ...bench.shape, longestWarmUpMilliseconds };
    const rounds = await interleave({ ...bench, shape }, async (parts) => {
      const peer = parts.use(await directus.start());
      const service = parts.use(await bench.startService({ service: 'resource-api', databaseUrl }));
      for (const [index, user] of directus.users.entries()) {
        const client = clients.findIndex(({ accountId }) => accountId === user.accountId);
        await requireSamePage(
          { port: service.port, request: ours[client] ?? Buffer.of() },
          { port: peer.port, request: theirs[index] ?? Buffer.of() },
          bench.signal,
        );
      }
      const contenderOf = (name: string, server: typeof peer, requests: readonly Buffer[]) =>
        httpContender(bench, { name, server, sources: sharedSources(requests), expectedStatus: 200 });
      return [contenderOf('service', service, ours), contenderOf('directus', peer, theirs)];
    });
    return [
      judgeSamples(processorRatios(rounds, 'directus', 'service'), {
        what: 'page of 50 tasks: processor time of Directus, against ours',
        bound: { atLeast: 5 },
      }),
    ];
  },
};

export const betterAuthRefresh: BenchCase = {
  id: 'better-auth',
  what: 'a refresh, against better-auth over PostgreSQL, which is installed from npm for it',
  async run(bench) {
    const { databaseUrl } = await bench.world();
    const rounds = await interleave(bench, async (parts) => {
      // Its secret and its users are new each time.
      parts.defer(() => bench.stores.dropDatabase(peerDatabase));
      const peer = parts.use(await startBetterAuth(bench));
      const service = parts.use(await startAuthServer(bench, databaseUrl));
      const { clientId, refreshTokens } = await readApps(bench, peer);
      const theirs = refreshTokens.map((refreshToken) => refreshSource({ clientId, refreshToken }));
      const ours = await connectRefreshSources(databaseUrl, service);
      const first = [
        await refreshOnce(service.port, ours[0], bench.signal),
        await refreshOnce(peer.port, theirs[0], bench.signal),
      ];
      if (!isDeepStrictEqual(first[0], first[1]))
        throw new Error(`the peer's refresh is another: ${JSON.stringify(first)}`);
      return [
        httpContender(bench, { name: 'service', server: service, sources: ours, expectedStatus: 200 }),
        httpContender(bench, { name: 'better-auth', server: peer, sources: theirs, expectedStatus: 200 }),
      ];
    });
    return [
      judgeSamples(processorRatios(rounds, 'better-auth', 'service'), {
        what: 'refresh: processor time of better-auth, against ours',
        bound: { atLeast: 2 },
      }),
    ];
  },
};

/** The kind of token that a refresh returns, and whether the refresh token is another one. */
async function refreshOnce(port: number, source: RequestSource | undefined, signal: AbortSignal) {
  const request = source?.next() ?? Buffer.of();
  const { status, body } = await sendOnce(port, request, signal);
  if (status !== 200) throw new Error(`a refresh has status ${status}: ${body}`);
  source?.hear?.(body);
  const answer: { access_token: string; expires_in: number; refresh_token: string } = JSON.parse(
    String(body),
  );
  const { alg, typ } = decodeProtectedHeader(answer.access_token);
  return {
    alg,
    typ,
    lifeSeconds: answer.expires_in,
    rotates: !String(request).includes(answer.refresh_token),
  };
}
