import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { guardProcess } from '#local/process-guardian.ts';
import { closingLine, type RunTotals, readTotals } from './support/run-totals.ts';
import { startTestServers } from './support/test-servers.ts';

/*
 * `npm test [-- <files or other arguments of ava>]`: starts PostgreSQL and Redis for the whole run, hands them to
 * ava's processes, and ends everything again. EMBEDDED_REDIS=js insists on the Redis that needs no installation.
 */
const ava = path.join(import.meta.dirname, '../node_modules/.bin/ava');
const graceMilliseconds = 10_000;

// Ctrl-C ends ava, not this process, which stays to stop the servers.
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort(signal));

try {
  process.exitCode = await runWithServers();
} catch (error) {
  if (!interruption.signal.aborted) throw error;
  console.log(`interrupted by ${interruption.signal.reason}`);
  process.exitCode = 1;
}

async function runWithServers(): Promise<number> {
  const redisKind = process.env.EMBEDDED_REDIS === 'js' ? 'js' : 'auto';
  const servers = await startTestServers({ redisKind, signal: interruption.signal });
  try {
    console.log(`PostgreSQL and Redis (${servers.redisKind}) are ready.`);
    return await runAva(servers.environment);
  } finally {
    await servers.stop();
  }
}

async function runAva(environment: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, [ava, ...process.argv.slice(2)], {
    env: {
      // The packaged browser unpacks itself where TMPDIR says, and nowhere when it says nothing.
      TMPDIR: os.tmpdir(),
      // Every file is a process that loads the same modules: compiled once, they load in a third of the time.
      NODE_COMPILE_CACHE: path.join(import.meta.dirname, '../node_modules/.cache/compiled-modules'),
      ...process.env,
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let totals: RunTotals | undefined;
  child.on('message', (message) => {
    totals = readTotals(message);
  });
  if (child.pid !== undefined) child.once('exit', guardProcess(child.pid, 'TERM'));
  if (interruption.signal.aborted) end(child);
  interruption.signal.addEventListener('abort', () => end(child));

  // Not `exit`, which may come before the last message.
  const [code, signal] = await once(child, 'close');
  if (interruption.signal.aborted) console.log(`interrupted by ${interruption.signal.reason}`);
  else if (signal) console.log(`ava was ended by ${signal}`);
  const exitCode = typeof code === 'number' ? code : 1;
  console.log(`\n${closingLine(totals, exitCode)}`);
  return exitCode;
}

function end(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), graceMilliseconds).unref();
}
