import path from 'node:path';
import type { Bench } from '../bench.ts';
import { encodeRequest, sendOnce } from '../load.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { installPeer } from './install-peer.ts';

export const peerDatabase = 'better_auth';

export async function startBetterAuth(bench: Bench): Promise<ServerProcess> {
  const folder = installPeer(bench, 'better-auth');
  const databaseUrl = await bench.stores.createDatabase(peerDatabase);
  return startServer({
    script: 'tools/bench/peers/better-auth-server.ts',
    scriptArguments: (port) => [String(port), databaseUrl, folder],
    environment: () => ({ NODE_ENV: 'production' }),
    logFile: path.join(bench.directory, 'better-auth.log'),
  });
}

/** A client and refresh tokens of 16 users. */
export async function readApps(
  { signal }: Bench,
  { port }: ServerProcess,
): Promise<{ clientId: string; refreshTokens: readonly string[] }> {
  const { status, body } = await sendOnce(port, encodeRequest({ path: '/refresh-tokens' }), signal);
  if (status !== 200) throw new Error(`better-auth has no refresh tokens: ${body}`);
  return JSON.parse(String(body));
}
