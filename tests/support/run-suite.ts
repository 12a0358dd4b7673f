import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnDependent } from '#local/child-process.ts';
import { webAppDirectoryOf } from './service-settings.ts';
import { startSharedServices } from './shared-services.ts';
import { startTestServers, type TestServers } from './test-servers.ts';

type Suite = {
  /** Of the release whose tests run, with its packages. */
  folder: string;
  /** Files and other arguments of ava. */
  arguments: readonly string[];
};

const graceMilliseconds = 10_000;

/**
 * Runs `work` until it is done or a signal interrupts it: Ctrl-C ends what `work` started, and this process
 * stays to stop the servers. The number is the exit code.
 */
export async function runToItsEnd(work: (interruption: AbortSignal) => Promise<number>): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort(signal));
  try {
    process.exitCode = await work(interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    say(`interrupted by ${interruption.signal.reason}`);
    process.exitCode = 1;
  }
}

/**
 * Starts PostgreSQL and Redis for the whole run, passes them to ava's processes, and stops them afterwards.
 * EMBEDDED_REDIS=js uses the JavaScript Redis. Returns ava's exit code.
 */
export async function runSuite(suite: Suite, interruption: AbortSignal): Promise<number> {
  const redisKind = process.env.EMBEDDED_REDIS === 'js' ? 'js' : 'auto';
  const servers = await startTestServers({ redisKind, signal: interruption });
  try {
    say(`PostgreSQL and Redis (${servers.redisKind}) are ready.`);
    await buildWebApp(suite.folder, interruption);
    return await runBesideServices(suite, servers, interruption);
  } finally {
    await servers.stop();
  }
}

/** Builds it into the folder that the tests' services serve. An earlier release may have no app. */
async function buildWebApp(folder: string, signal: AbortSignal): Promise<void> {
  const program = path.join(folder, 'services/web-app/build.ts');
  if (!existsSync(program)) return;
  const child = spawn(nodeOf(folder), [program, webAppDirectoryOf(folder)], { signal, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The web app could not be built.');
}

/** Tests of an earlier release may not use shared services. */
async function runBesideServices(
  suite: Suite,
  servers: TestServers,
  interruption: AbortSignal,
): Promise<number> {
  if (!existsSync(path.join(suite.folder, 'tests/support/shared-service.ts')))
    return runAva(suite, servers.environment, interruption);
  const services = await startSharedServices(suite.folder, nodeOf(suite.folder), servers);
  try {
    say('Both services are ready.');
    return await runAva(suite, { ...servers.environment, ...services.environment }, interruption);
  } finally {
    await services.stop();
  }
}

/** The release's own Node. */
function nodeOf(folder: string): string {
  const own = path.join(folder, 'node_modules/.bin/node');
  return existsSync(own) ? own : process.execPath;
}

async function runAva(
  suite: Suite,
  environment: Record<string, string>,
  interruption: AbortSignal,
): Promise<number> {
  const programs = path.join(suite.folder, 'node_modules/.bin');
  const child = spawnDependent(nodeOf(suite.folder), [path.join(programs, 'ava'), ...suite.arguments], {
    cwd: suite.folder,
    env: {
      // The packaged browser needs TMPDIR to unpack itself.
      TMPDIR: os.tmpdir(),
      // Each test file is a process that loads the same modules: from the cache in a third of the time.
      NODE_COMPILE_CACHE: path.join(suite.folder, 'node_modules/.cache/compiled-modules'),
      ...process.env,
      PATH: [programs, process.env.PATH].join(path.delimiter),
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (interruption.aborted) end(child);
  interruption.addEventListener('abort', () => end(child));

  const [code, signal] = await once(child, 'exit');
  if (interruption.aborted) say(`interrupted by ${interruption.reason}`);
  else if (signal) say(`ava was ended by ${signal}`);
  // Ends what tests left running.
  signalGroup(child, 'SIGKILL');
  return typeof code === 'number' ? code : 1;
}

function end(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  setTimeout(() => signalGroup(child, 'SIGKILL'), graceMilliseconds).unref();
}

/** Signals ava, its workers and what tests started. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Prints a line between those of ava. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
