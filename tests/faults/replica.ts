import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import { endOf, letGo, type ProcessEnd } from '#local/process-end.ts';
import { guardProcess } from '#local/process-guardian.ts';
import type { Environment } from '#shared/config/read-env.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { waitFor } from '../support/wait-for.ts';

export type ReplicaOptions = {
  service: ServiceName;
  port: number;
  managementPort: number;
  environment: Environment;
  /** Arguments for Node itself. */
  nodeArguments: readonly string[];
  logFile: string;
};

/** One process of a service, started again on the same ports each time. */
export type Replica = {
  service: ServiceName;
  port: number;
  managementPort: number;
  url: string;
  /** Resolves when it is ready; rejects with its last words when it ends before. */
  start(): Promise<void>;
  /** Sends the signal and resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<ProcessEnd>;
  /** Throws an Error when it does not run. */
  pid(): number;
  isRunning(): boolean;
  /** Ends that nobody asked for. */
  unexpectedEnds(): number;
  residentMegabytes(): number;
  /** The status of a path of the management port; undefined when nothing answers. */
  probe(probePath: '/livez' | '/readyz'): Promise<number | undefined>;
};

const READY_TIMEOUT_MILLISECONDS = 60_000;
const PROBE_TIMEOUT_MILLISECONDS = 2_000;
const project = path.join(import.meta.dirname, '../..');

export function createReplica(options: ReplicaOptions): Replica {
  const { service, port, managementPort } = options;
  let running: { child: ChildProcess; pid: number; ended: Promise<ProcessEnd> } | undefined;
  let unexpectedEnds = 0;

  const requireRunning = () => {
    if (running === undefined) throw new Error(`no ${service} runs on port ${port}`);
    return running;
  };
  const probe: Replica['probe'] = (probePath) => probeStatus(managementPort, probePath);

  return {
    service,
    port,
    managementPort,
    url: `http://127.0.0.1:${port}`,
    probe,
    isRunning: () => running !== undefined,
    pid: () => requireRunning().pid,
    unexpectedEnds: () => unexpectedEnds,
    residentMegabytes: () => residentMegabytes(requireRunning().pid),
    async start() {
      const child = launch(options);
      const ended = endOf(child);
      const { pid } = child;
      if (pid === undefined) throw new Error(`${service} could not be started: ${String(await ended)}`);
      const release = guardProcess(pid, 'TERM');
      const present = { child, pid, ended };
      running = present;
      void ended.then(() => {
        release();
        if (running !== present) return;
        running = undefined;
        unexpectedEnds += 1;
      });
      letGo(child);
      await waitFor(async () => running !== present || (await probe('/readyz')) === 200, {
        timeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
        what: `${service} on port ${port}: ${lastLines(options.logFile)}`,
      });
      if (running !== present)
        throw new Error(`${service} ended at its start: ${lastLines(options.logFile)}`);
    },
    async end(signal) {
      const { child, ended } = requireRunning();
      running = undefined;
      child.ref();
      child.kill(signal);
      return ended;
    },
  };
}

function launch({ service, port, managementPort, environment, nodeArguments, logFile }: ReplicaOptions) {
  const log = openSync(logFile, 'a');
  try {
    return spawn(
      process.execPath,
      [...nodeArguments, path.join(project, `services/${service}/src/main.ts`)],
      {
        cwd: project,
        // A session of its own: Ctrl-C in the terminal is answered by the runner alone.
        detached: true,
        env: {
          ...environment,
          HOST: '127.0.0.1',
          PORT: String(port),
          MANAGEMENT_PORT: String(managementPort),
        },
        stdio: ['ignore', log, log],
      },
    );
  } finally {
    closeSync(log);
  }
}

function lastLines(logFile: string): string {
  return readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join(' | ');
}

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? Number.NaN) / 1_024;
}

function probeStatus(port: number, probePath: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get({
      host: '127.0.0.1',
      port,
      path: probePath,
      timeout: PROBE_TIMEOUT_MILLISECONDS,
      agent: false,
    });
    request.once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(undefined));
  });
}
