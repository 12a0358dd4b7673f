import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnDependent } from '#local/child-process.ts';
import { findFreePort } from '#local/free-port.ts';
import { removeEmbeddedPostgres } from '#local/postgres-cluster.ts';
import { waitFor } from '../support/wait-for.ts';

const root = path.resolve(import.meta.dirname, '../..');

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
  /** Stops it and throws when it does not end with 0. */
  stop(): Promise<void>;
  /** The process id that the log named last for this part. */
  pidOf(part: string): number;
};

/** A test, or what holds something for all tests of a file. */
type StartOwner = { teardown(after: () => void | Promise<void>): void };

export type LocalStartOptions = {
  dataDirectory: string;
  port?: number;
  environment?: Record<string, string>;
  parameters?: readonly string[];
  /** How a person starts it: by npm, or the program itself. */
  by?: 'npm' | 'node';
};

export type ShownAccount = { email: string; password: string; token: string };

/** A data directory that is removed when the test ends, wherever its database lives. */
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
  const command =
    options.by === 'npm' ? ['npm', 'start', '--silent'] : [process.execPath, 'deploy/local/start.ts'];
  const [program = '', ...parameters] = [...command, ...(options.parameters ?? [])];
  const child = spawnDependent(program, parameters, {
    cwd: root,
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
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
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
      { timeoutMilliseconds: 90_000, what: `${pattern} in:\n${written}` },
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
    stop: async () => {
      child.kill('SIGTERM');
      const end = await ended;
      if (end !== 0) throw new Error(`it ended with ${end}:\n${written}`);
    },
    pidOf: (part) => Number(new RegExp(`${part} is running, process (\\d+)`).exec(written)?.[1]),
  };
}

/** A start in a new directory, with the account it makes. */
export async function firstStart(
  t: StartOwner,
  options: LocalStartOptions,
): Promise<LocalStart & { account: ShownAccount }> {
  const start = await startLocally(t, options);
  await start.waitForOutput(/^Its secrets are shown only this once:[\s\S]*curl .*\n/m);
  const account = accountIn(start.output());
  if (account === undefined) throw new Error(`no account was shown:\n${start.output()}`);
  return { ...start, account };
}

/** The account that a start's output shows with its secrets. */
export function accountIn(output: string): ShownAccount | undefined {
  const pattern = /^ +E-mail +(\S+)\n +Password +(\S+)\n +API token +(\S+)$/m;
  const [, email, password, token] = pattern.exec(output) ?? [];
  return email && password && token ? { email, password, token } : undefined;
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
    timeoutMilliseconds: 30_000,
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
