import path from 'node:path';
import { stopProcess } from '#local/child-process.ts';
import { findFreePort } from '#local/free-port.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { lastLines, startLoggedProcess } from '#tests/support/logged-process.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import type { Bench } from './bench.ts';

const limitMilliseconds = 120_000;

/** How long `npm start` takes, on data that is kept from call to call, until the API answers through its gateway. */
export async function timeLocalStart({ directory, environment, signal }: Bench): Promise<number> {
  const port = await findFreePort();
  const logFile = path.join(directory, 'local-start.log');
  const startedAt = performance.now();
  const { child, ended } = await startLoggedProcess(
    ['deploy/local/start.ts'],
    { ...environment, PORT: String(port), DATA_DIR: path.join(directory, 'local-data') },
    logFile,
  );
  let isRunning = true;
  void ended.then(() => {
    isRunning = false;
  });
  try {
    const answered = await waitFor(
      async () => {
        signal.throwIfAborted();
        if (!isRunning) throw new Error(`npm start ended: ${lastLines(logFile)}`);
        return await answers(`http://localhost:${port}${apiRootPath}/me`);
      },
      { timeoutMilliseconds: limitMilliseconds, what: 'npm start' },
    );
    return answered - startedAt;
  } finally {
    await stopProcess(child, 'SIGTERM', 30_000);
  }
}

/** When it did. Without a token the API answers 401; until it is up the gateway answers 503, or nobody. */
async function answers(url: string): Promise<number | false> {
  try {
    return (await fetch(url)).status === 401 && performance.now();
  } catch {
    return false;
  }
}
