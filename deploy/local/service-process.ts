import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '#shared/config/read-env.ts';
import { findFreePort } from './free-port.ts';
import type { RunningPart } from './keep-running.ts';
import { describeEnd, endOf, type ProcessEnd, stopProcess } from './process-end.ts';
import { guardProcess } from './process-guardian.ts';

export type ServiceRequest = {
  name: string;
  /** The program, run by this same Node. */
  entry: string;
  /** All it is told, but for its ports. */
  environment: Environment;
  onLine(line: string): void;
  signal: AbortSignal;
};

export type ServiceProcess = RunningPart & { port: number };

const READY_TIMEOUT_MILLISECONDS = 60_000;
const READY_POLL_MILLISECONDS = 20;
const PROBE_TIMEOUT_MILLISECONDS = 2_000;
const LAST_WORDS_MILLISECONDS = 500;
const MAXIMUM_TRIES = 5;
/** A service drains for up to ten seconds and then disposes of what it holds. */
const STOP_STEPS = [
  { signal: 'SIGTERM', graceMilliseconds: 15_000 },
  { signal: 'SIGKILL', graceMilliseconds: 1_000 },
] as const;

class PortTakenError extends Error {}

/** Starts a service on private ports of 127.0.0.1 and waits until it says that it is ready. */
export async function startService(request: ServiceRequest): Promise<ServiceProcess> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await tryToStart(request, await findFreePort(), await findFreePort());
    } catch (error) {
      if (!(error instanceof PortTakenError) || turn === MAXIMUM_TRIES) throw error;
    }
  }
}

async function tryToStart(
  request: ServiceRequest,
  port: number,
  managementPort: number,
): Promise<ServiceProcess> {
  request.signal.throwIfAborted();
  const child = launch(request, port, managementPort);
  const ended = endOf(child);
  const closed = once(child, 'close');
  const { pid } = child;
  if (pid === undefined) {
    await ended;
    throw new Error(`${request.name} could not be started`);
  }
  const release = guardProcess(pid, 'TERM');
  void ended.then(release);
  let portTaken = false;
  forwardLines(child, (line) => {
    portTaken ||= line.includes('EADDRINUSE');
    request.onLine(line);
  });
  const outcome = await readiness(managementPort, ended, request.signal);
  if (outcome === 'ready') return { pid, port, ended, stop: () => stopProcess(child, ended, STOP_STEPS) };
  await stopProcess(child, ended, STOP_STEPS);
  // Its last words say why; they can arrive after its end.
  await Promise.race([closed, delay(LAST_WORDS_MILLISECONDS)]);
  request.signal.throwIfAborted();
  if (portTaken) throw new PortTakenError(`${request.name} found its port taken`);
  const what =
    outcome === 'silent' ? 'did not become ready in time' : `${describeEnd(outcome)} before it was ready`;
  throw new Error(`${request.name} ${what}`);
}

function launch({ entry, environment }: ServiceRequest, port: number, managementPort: number): ChildProcess {
  return fork(entry, [], {
    // A session of its own: Ctrl-C in the terminal reaches the launcher alone, which stops the parts in order.
    detached: true,
    env: { ...environment, HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: String(managementPort) },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

function forwardLines(child: ChildProcess, onLine: (line: string) => void): void {
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine);
  }
}

async function readiness(
  managementPort: number,
  ended: Promise<ProcessEnd>,
  signal: AbortSignal,
): Promise<'ready' | 'silent' | ProcessEnd> {
  const polling = new AbortController();
  const stop = AbortSignal.any([signal, polling.signal, AbortSignal.timeout(READY_TIMEOUT_MILLISECONDS)]);
  try {
    return await Promise.race([pollUntilReady(managementPort, stop), ended]);
  } finally {
    polling.abort();
  }
}

async function pollUntilReady(managementPort: number, signal: AbortSignal): Promise<'ready' | 'silent'> {
  while (!signal.aborted) {
    if (await answersReady(managementPort)) return 'ready';
    await delay(READY_POLL_MILLISECONDS);
  }
  return 'silent';
}

function answersReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = get({
      host: '127.0.0.1',
      port,
      path: '/readyz',
      timeout: PROBE_TIMEOUT_MILLISECONDS,
      agent: false,
    });
    probe.once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => resolve(false));
  });
}
