import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { waitAtMost } from '#shared/time/wait-at-most.ts';

export type ProcessEnd = { code: number | null; signal: NodeJS.Signals | null };

type DependentOptions = Omit<SpawnOptions, 'stdio' | 'detached'> & {
  stdio: Extract<StdioOptions, unknown[]>;
};

/**
 * Starts a program in its own process group that ends with this process, even after SIGKILL: a background
 * shell waits until the pipe from this process closes, then sends SIGINT and later SIGKILL.
 */
export function spawnDependent(
  program: string,
  parameters: readonly string[],
  options: DependentOptions,
): ChildProcess {
  if (process.platform === 'win32') return spawn(program, parameters, options);
  const pipe = options.stdio.length;
  const end = 'kill -s INT $$ && sleep 10 && kill -s KILL -- -$$';
  const script = `((read -r _ <&${pipe}; ${end}) >/dev/null 2>&1 &); exec "$@" ${pipe}<&-`;
  const child = spawn('/bin/sh', ['-c', script, 'sh', program, ...parameters], {
    ...options,
    detached: true,
    stdio: [...options.stdio, 'pipe'],
  });
  const held = child.stdio[pipe];
  if (held instanceof Socket) {
    held.on('error', () => undefined).unref();
    child.once('exit', () => held.destroy());
  }
  return child;
}

/** Has Node run a program of this project, whose output goes to `onLine`. */
export function runProgram(
  commandLine: readonly string[],
  options: { env?: NodeJS.ProcessEnv; uid?: number; gid?: number },
  onLine: (line: string) => void,
) {
  const child = spawnDependent(process.execPath, commandLine, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on('line', onLine);
  }
  const ended = endOf(child);
  if (child.pid === undefined) throw new Error(`${commandLine.join(' ')} could not be started`);
  return { pid: child.pid, ended, stop: () => stopProcess(child) };
}

/** Has Node run a program of this project to its end, its errors shown. Throws an Error with `failure`. */
export async function completeProgram(
  commandLine: readonly string[],
  options: { env?: NodeJS.ProcessEnv; signal: AbortSignal },
  failure: string,
): Promise<void> {
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit'];
  const [code] = await once(spawn(process.execPath, commandLine, { ...options, stdio }), 'exit');
  if (code !== 0) throw new Error(failure);
}

/** Resolves when the process has ended; rejects if it could not be started. */
export function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => {
      if (child.pid === undefined) reject(error);
    });
  });
}

/** For a sentence: "ended with code 1", "was killed by SIGKILL". */
export function describeEnd({ code, signal }: ProcessEnd): string {
  return signal ? `was killed by ${signal}` : `ended with code ${code}`;
}

/** Sends the signal, and SIGKILL after a timeout. */
export async function stopProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
  graceMilliseconds = 15_000,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMilliseconds);
  await ended;
  clearTimeout(timer);
}

/** What it started may hold its standard error for longer. */
const unreadMilliseconds = 2_000;

/** Resolves, once a process that has ended was read to its end, with the last of its standard error. */
export function captureErrors(child: ChildProcess): () => Promise<string> {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-8_192);
  });
  const closed = once(child, 'close').catch(() => undefined);
  return async () => {
    await waitAtMost(unreadMilliseconds, closed);
    return text.trim();
  };
}
