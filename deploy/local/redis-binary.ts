import { spawn } from 'node:child_process';
import { describeEnd, endOf, letGo, stopProcess } from './process-end.ts';
import { guardProcess } from './process-guardian.ts';
import { REDIS_STOP_STEPS, type RedisLaunch, type RedisProcess } from './redis-process.ts';

const PROGRAMS = ['valkey-server', 'redis-server'];
/** The servers on PATH that run on this machine, the preferred one first. */
export async function findRedisBinaries(): Promise<string[]> {
  const found = await Promise.all(PROGRAMS.map(answersVersion));
  return PROGRAMS.filter((_program, index) => found[index]);
}

async function answersVersion(program: string): Promise<boolean> {
  const child = spawn(program, ['--version'], { stdio: 'ignore' });
  return await endOf(child).then(
    (end) => end.code === 0,
    () => false,
  );
}

/** Rejects with the server's own words when it ends before it is ready. */
export async function launchRedisBinary(program: string, launch: RedisLaunch): Promise<RedisProcess> {
  const child = spawn(program, ['-'], { cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = endOf(child);
  const { pid } = child;
  if (pid === undefined) {
    await ended;
    throw new Error(`${program} could not be started`);
  }
  const release = guardProcess(pid, 'TERM');
  void ended.then(release);
  child.stdin.on('error', () => undefined);
  // By standard input, so that the password shows in no process list.
  child.stdin.end(configuration(launch));
  let output = '';
  const ready = new Promise<true>((resolve) => {
    const watch = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_096);
      if (/Ready to accept connections/i.test(output)) resolve(true);
    };
    child.stdout.on('data', watch);
    child.stderr.on('data', watch);
  });
  const started = await Promise.race([ready, ended]);
  if (started !== true)
    throw new Error(`${program} ${describeEnd(started)} while starting: ${output.trim()}`);
  letGo(child);
  return { pid, ended, stop: () => stopProcess(child, ended, REDIS_STOP_STEPS) };
}

function configuration({ port, password }: RedisLaunch): string {
  return [`port ${port}`, 'bind 127.0.0.1', `requirepass ${password}`, 'save ""', 'appendonly no', ''].join(
    '\n',
  );
}
