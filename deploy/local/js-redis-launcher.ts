import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { describeEnd, endOf, letGo, stopProcess } from './process-end.ts';
import { guardProcess } from './process-guardian.ts';
import { REDIS_STOP_STEPS, type RedisLaunch, type RedisProcess } from './redis-process.ts';

/** Runs the JavaScript server in a process of its own; it also ends when the channel to this process closes. */
export async function launchJsRedis(launch: RedisLaunch): Promise<RedisProcess> {
  const child = fork(path.join(import.meta.dirname, 'js-redis-process.ts'), [], {
    cwd: '/',
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ended = endOf(child);
  const { pid } = child;
  if (pid === undefined) {
    await ended;
    throw new Error('the JavaScript Redis could not be started');
  }
  const release = guardProcess(pid, 'TERM');
  void ended.then(release);
  const output = keepErrorOutput(child);
  child.send(launch);
  const started = await Promise.race([firstMessage(child), ended]);
  if (started !== 'ready') {
    throw new Error(`the JavaScript Redis ${describeEnd(started)} while starting: ${output().trim()}`);
  }
  letGo(child);
  return { pid, ended, stop: () => stopProcess(child, ended, REDIS_STOP_STEPS) };
}

function firstMessage(child: ChildProcess): Promise<'ready'> {
  return new Promise((resolve) => {
    child.once('message', () => resolve('ready'));
  });
}

function keepErrorOutput(child: ChildProcess): () => string {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_096);
  });
  return () => output;
}
