import path from 'node:path';
import { stopProcess } from '#local/child-process.ts';
import { findFreePort } from '#local/free-port.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { lastLines, startLoggedProcess } from '../../logged-process.ts';
import type { Bench, ServiceStart } from '../bench.ts';
import { type BenchCase, judgeSamples } from '../bench-case.ts';

/** Fewer starts give no 95 % interval of the median. */
const starts = 6;

export const start: BenchCase = {
  id: 'start',
  what: 'from the start of a process to its readiness',
  async run(bench) {
    const { databaseUrl } = await bench.world();
    const timeService = (service: ServiceStart['service']) => async () => {
      await using server = await bench.startService({ service, databaseUrl });
      return server.startMilliseconds / 1_000;
    };
    const judge = async (what: string, atMost: number, measure: () => Promise<number>) =>
      judgeSamples(await repeat(bench.isQuick ? 2 : starts, measure), { what, bound: { atMost }, unit: 's' });
    return [
      await judge('start of resource-api', 1, timeService('resource-api')),
      await judge('start of auth-server', 1, timeService('auth-server')),
      await judge('`npm start` on existing data', 4, () => timeLocalStart(bench)),
    ];
  },
};

/** The first one is not counted: it loads files into memory, or creates data. */
async function repeat(times: number, measure: () => Promise<number>): Promise<number[][]> {
  await measure();
  const samples: number[][] = [];
  while (samples.length < times) samples.push([await measure()]);
  return samples;
}

/** Seconds until the API responds through the gateway of `npm start`. */
async function timeLocalStart({ directory, signal }: Bench): Promise<number> {
  const port = await findFreePort();
  const logFile = path.join(directory, 'local-start.log');
  const startedAt = performance.now();
  const settings = { PORT: String(port), DATA_DIR: path.join(directory, 'local-data') };
  const environment = { ...process.env, ...settings };
  const { child } = await startLoggedProcess(['deploy/local/start.ts'], environment, logFile);
  const url = `http://localhost:${port}${apiRootPath}/me`;
  const isReady = async () => {
    signal.throwIfAborted();
    if (child.exitCode !== null) throw new Error(`npm start ended: ${lastLines(logFile)}`);
    // Without a token the API responds with 401; before it is ready, the gateway with 503.
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => undefined,
    );
    return status === 401 && performance.now();
  };
  try {
    const readyAt = await waitFor(isReady, { timeoutMilliseconds: 120_000, what: 'npm start' });
    return (readyAt - startedAt) / 1_000;
  } finally {
    await stopProcess(child, 'SIGTERM', 30_000);
  }
}
