import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '#shared/config/read-env.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { runProgram } from './child-process.ts';
import { findFreePort } from './free-port.ts';
import type { RunAs } from './postgres-account.ts';

const readyMilliseconds = 60_000;
const pollMilliseconds = 20;

/** Starts a service on ports of 127.0.0.1. */
export async function startService(
  name: ServiceName,
  environment: Environment,
  onLine: (line: string) => void,
  runAs?: RunAs,
) {
  const [port, managementPort] = [await findFreePort(), await findFreePort()];
  const program = path.join(import.meta.dirname, `../../services/${name}/src/main.ts`);
  const addresses = { HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
  return {
    ...runProgram([program], { env: { ...environment, ...addresses }, ...runAs }, onLine),
    port,
    /** Resolves when ready; rejects if the signal aborts, or on a timeout. */
    ready: async (signal: AbortSignal): Promise<void> => {
      const deadline = performance.now() + readyMilliseconds;
      while (!(await isReady(managementPort))) {
        if (performance.now() > deadline) throw new Error(`${name} did not become ready in time`);
        await delay(pollMilliseconds, undefined, { signal });
      }
    },
  };
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
