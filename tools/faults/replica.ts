import type { ProcessEnd } from '#local/child-process.ts';
import type { Environment } from '#shared/config/read-env.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type LoggedProcess, lastLines, startLoggedProcess } from '../logged-process.ts';
import { residentMegabytes } from '../processes.ts';

type ReplicaOptions = {
  service: ServiceName;
  port: number;
  managementPort: number;
  environment: Environment;
  logFile: string;
};

/** One process of a service, started again on the same ports each time. */
export type Replica = {
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
  /** Number of times the process ended without `end`. */
  unexpectedEnds(): number;
  residentMegabytes(): number;
  /** The status of a path of the management port; undefined when nothing answers. */
  probe(probePath: '/livez' | '/readyz'): Promise<number | undefined>;
};

const READY_TIMEOUT_MILLISECONDS = 60_000;
const PROBE_TIMEOUT_MILLISECONDS = 2_000;

export function createReplica(options: ReplicaOptions): Replica {
  const { service, port, managementPort } = options;
  let running: LoggedProcess | undefined;
  let unexpectedEnds = 0;

  const requireRunning = () => {
    if (running === undefined) throw new Error(`no ${service} runs on port ${port}`);
    return running;
  };
  const probe: Replica['probe'] = (probePath) => probeStatus(managementPort, probePath);

  return {
    port,
    managementPort,
    url: `http://127.0.0.1:${port}`,
    probe,
    isRunning: () => running !== undefined,
    pid: () => requireRunning().pid,
    unexpectedEnds: () => unexpectedEnds,
    residentMegabytes: () => residentMegabytes(requireRunning().pid),
    async start() {
      const present = await launch(options);
      running = present;
      void present.ended.then(() => {
        if (running !== present) return;
        running = undefined;
        unexpectedEnds += 1;
      });
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

function launch({ service, port, managementPort, environment, logFile }: ReplicaOptions) {
  const places = { HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
  const commandLine = [`services/${service}/src/main.ts`];
  return startLoggedProcess(commandLine, { ...environment, ...places }, logFile);
}

function probeStatus(port: number, probePath: string): Promise<number | undefined> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MILLISECONDS);
  return fetch(`http://127.0.0.1:${port}${probePath}`, { signal }).then(
    async ({ status, body }) => {
      await body?.cancel();
      return status;
    },
    () => undefined,
  );
}
