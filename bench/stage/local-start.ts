import { spawn } from 'node:child_process';
import path from 'node:path';
import { findFreePort } from '#local/free-port.ts';
import { endOf, stopProcess } from '#local/process-end.ts';
import type { Environment } from '#shared/config/read-env.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const script = path.join(import.meta.dirname, '../../deploy/local/start.ts');
const limitMilliseconds = 120_000;

/** How long `npm start` takes with this data directory until the API answers through its gateway. Stops it again. */
export async function timeLocalStart(dataDirectory: string, environment: Environment): Promise<number> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [script], {
    env: { ...environment, PORT: String(port), DATA_DIR: dataDirectory },
    stdio: 'ignore',
  });
  const ended = endOf(child);
  try {
    await waitFor(() => answers(`http://localhost:${port}${apiRootPath}/me`), {
      timeoutMilliseconds: limitMilliseconds,
      what: 'npm start',
    });
    return performance.now() - startedAt;
  } finally {
    await stopProcess(child, ended, [
      { signal: 'SIGTERM', graceMilliseconds: 30_000 },
      { signal: 'SIGKILL', graceMilliseconds: 1_000 },
    ]);
  }
}

/** Without a token the API answers 401; until it is up the gateway answers 503, or nobody. */
async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status === 401;
  } catch {
    return false;
  }
}
