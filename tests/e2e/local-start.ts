import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '#local/free-port.ts';
import { removeEmbeddedPostgres } from '#local/postgres-home.ts';
import { guardProcess } from '#local/process-guardian.ts';
import { waitFor } from '../support/wait-for.ts';

const root = path.resolve(import.meta.dirname, '../..');
const startTimeoutMilliseconds = 90_000;
const stopTimeoutMilliseconds = 30_000;

export type LocalStart = {
  process: ChildProcess;
  pid: number;
  baseUrl: string;
  /** All it has written up to now. */
  output(): string;
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  ready(): Promise<void>;
  /** Its exit code, or the signal that killed it. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** The process id that the log named last for this part. */
  pidOf(part: string): number;
};

/** A test, or what holds something for all tests of a file. */
export type StartOwner = { teardown(after: () => void | Promise<void>): void };

export type LocalStartOptions = {
  dataDirectory: string;
  port?: number;
  environment?: Record<string, string>;
  parameters?: readonly string[];
  /** How a person starts it: by npm, or the program itself. */
  by?: 'npm' | 'node';
};

/** A data directory that is gone when the test has ended, wherever its database lives. */
export function temporaryDataDirectory(t: StartOwner, name = 'data'): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'start-test-'));
  const directory = path.join(home, name);
  t.teardown(() => {
    removeEmbeddedPostgres(path.join(directory, 'postgres'));
    rmSync(home, { recursive: true, force: true });
  });
  return directory;
}

/** Starts the service as a person does; what it started has ended when the test has. */
export async function startLocally(t: StartOwner, options: LocalStartOptions): Promise<LocalStart> {
  const port = options.port ?? (await findFreePort());
  const [command, ...parameters] =
    options.by === 'npm'
      ? ['npm', 'start', '--silent']
      : [process.execPath, 'deploy/local/start.ts', ...(options.parameters ?? [])];
  const child = spawn(command ?? '', parameters, {
    cwd: root,
    detached: true,
    env: {
      ...plainEnvironment(),
      PORT: String(port),
      DATA_DIR: options.dataDirectory,
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the service could not be started');
  // A test run that is killed takes it along.
  const release = guardProcess(pid, 'TERM');
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', release);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  t.teardown(async () => {
    const family = familyOf(pid);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
    await waitForEnd(family);
  });
  const waitForOutput = (pattern: RegExp): Promise<RegExpExecArray> =>
    waitFor(
      () => {
        const found = pattern.exec(written);
        if (!found && child.exitCode !== null)
          throw new Error(`it ended without saying ${pattern}:\n${written}`);
        return found;
      },
      { timeoutMilliseconds: startTimeoutMilliseconds, what: `${pattern} in:\n${written}` },
    );
  return {
    process: child,
    pid,
    baseUrl: `http://localhost:${port}`,
    output: () => written,
    waitForOutput,
    ready: async () => {
      await waitForOutput(/^Ctrl-C stops it\.$/m);
    },
    ended,
    pidOf: (part) => {
      const named = [...written.matchAll(new RegExp(`${part}.* is running.*process (\\d+)`, 'g'))];
      return Number(named.at(-1)?.[1]);
    },
  };
}

/** The process and everything it started, directly or not. */
export function familyOf(pid: number): number[] {
  const parents = new Map(livingProcesses().map((entry) => [entry.pid, entry.parent]));
  const isRelated = (member: number | undefined): boolean =>
    member === pid || (member !== undefined && member > 1 && isRelated(parents.get(member)));
  return [...parents.keys()].filter(isRelated);
}

export async function waitForEnd(pids: readonly number[]): Promise<void> {
  await waitFor(() => !livingProcesses().some(({ pid }) => pids.includes(pid)), {
    timeoutMilliseconds: stopTimeoutMilliseconds,
    what: `the end of the processes ${pids}`,
  });
}

export function commandsOf(pids: readonly number[]): string[] {
  return livingProcesses().flatMap(({ pid, command }) => (pids.includes(pid) ? [command] : []));
}

type Living = { pid: number; parent: number; command: string };

/** Without those that have ended and only wait to be collected. */
function livingProcesses(): Living[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line): Living[] => {
    const [, pid, parent, state = 'Z', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** As on a machine where nothing is set up for this service. */
function plainEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  const passedOn = ['TMPDIR', 'EMBEDDED_REDIS', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { PATH, HOME, ...Object.fromEntries(passedOn) };
}
