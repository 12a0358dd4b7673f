import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { findFreePort } from '#local/free-port.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { waitFor } from '#tests/support/wait-for.ts';

type Owner = { teardown(end: () => Promise<void>): void };
type Stores = { databaseUrl: string; redisUrl: string };

/** A service of that release as a process of its own; its address once it is ready. */
export async function startRelease(
  owner: Owner,
  folder: string,
  service: ServiceName,
  { databaseUrl, redisUrl }: Stores,
): Promise<string> {
  const [port, managementPort] = [await findFreePort(), await findFreePort()];
  const child = spawn(process.execPath, [path.join(folder, `services/${service}/src/main.ts`)], {
    cwd: folder,
    env: {
      ...programEnvironment,
      BASE_URL: 'https://tasks.example.com',
      DATABASE_URL: databaseUrl,
      DATABASE_WAIT_MILLISECONDS: '20000',
      REDIS_URL: redisUrl,
      REDIS_WAIT_MILLISECONDS: '10000',
      KEY_ENCRYPTION_SECRET: 'the signing keys of a test are worth nothing',
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      LOG_LEVEL: 'error',
      // What it was warned of has been mended since, or does not matter here.
      NODE_NO_WARNINGS: '1',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  owner.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await waitFor(() => isReady(managementPort), {
    timeoutMilliseconds: 60_000,
    what: `${service} of the release before`,
  });
  return `http://127.0.0.1:${port}`;
}

function isReady(managementPort: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${managementPort}/readyz`, { headers: { Connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );
}
