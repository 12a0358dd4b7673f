import { truncateSync } from 'node:fs';
import { connect } from 'node:net';
import { stopProcess } from '#local/child-process.ts';
import { findFreePort } from '#local/free-port.ts';
import type { Environment } from '#shared/config/read-env.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { lastLines, startLoggedProcess } from '../logged-process.ts';
import { cores, pinProcess } from '../processes.ts';

type ServerOptions = {
  /** Relative to the project's folder. */
  script: string;
  /** PORT and MANAGEMENT_PORT are added. */
  environment(port: number): Environment;
  scriptArguments(port: number): readonly string[];
  logFile: string;
};

/** A server in a process of its own, on the servers' core; disposing it ends it. */
export type ServerProcess = AsyncDisposable & {
  pid: number;
  port: number;
  /** Its log goes to a file, as in production; emptied now and then, so that a long run fills no disk. */
  emptyLog(): void;
};

const startLimitMilliseconds = 60_000;

/** Resolves when it accepts connections: services listen when they are ready. Rejects with its last words. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { script, environment, scriptArguments, logFile } = options;
  const port = await findFreePort();
  const managementPort = await findFreePort();
  const places = { HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
  const commandLine = [script, ...scriptArguments(port)];
  const { child, pid, ended } = await startLoggedProcess(
    commandLine,
    { ...environment(port), ...places },
    logFile,
  );
  let isRunning = true;
  void ended.then(() => {
    isRunning = false;
  });
  await waitFor(async () => !isRunning || (await accepts(port)), {
    timeoutMilliseconds: startLimitMilliseconds,
    what: script,
  });
  if (!isRunning) throw new Error(`${script} ended at its start: ${lastLines(logFile)}`);
  pinProcess(pid, cores.server);
  return {
    pid,
    port,
    emptyLog: () => truncateSync(logFile),
    [Symbol.asyncDispose]: () => stopProcess(child, 'SIGTERM', 20_000),
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
