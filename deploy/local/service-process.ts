import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '#shared/config/read-env.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { endOf, type ProcessEnd, spawnDependent, stopProcess } from './child-process.ts';
import { findFreePort } from './free-port.ts';
import type { RunAs } from './postgres-account.ts';

type ServiceProcess = {
  pid: number;
  port: number;
  ended: Promise<ProcessEnd>;
  /** Resolves when ready; rejects if the signal aborts, or on a timeout. */
  ready(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
};

const readyMilliseconds = 60_000;
const pollMilliseconds = 20;

/** Starts a service on ports of 127.0.0.1. */
export async function startService(
  name: ServiceName,
  environment: Environment,
  onLine: (line: string) => void,
  runAs?: RunAs,
): Promise<ServiceProcess> {
  const [port, managementPort] = [await findFreePort(), await findFreePort()];
  const program = path.join(import.meta.dirname, `../../services/${name}/src/main.ts`);
  const child = spawnDependent(process.execPath, [program], {
    env: { ...environment, HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: String(managementPort) },
    ...runAs,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on('line', onLine);
  }
  const ended = endOf(child);
  if (child.pid === undefined) throw new Error(`${name} could not be started`);
  return {
    pid: child.pid,
    port,
    ended,
    ready: async (signal) => {
      const deadline = performance.now() + readyMilliseconds;
      while (!(await isReady(managementPort))) {
        if (performance.now() > deadline) throw new Error(`${name} did not become ready in time`);
        await delay(pollMilliseconds, undefined, { signal });
      }
    },
    stop: () => stopProcess(child),
  };
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
