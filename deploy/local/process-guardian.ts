import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';

/** In a session of its own, so that nothing that ends this process's group ends it too. */
const GUARDIAN_SCRIPT = path.join(import.meta.dirname, 'process-guardian.sh');

/** INT is PostgreSQL's fast shutdown; everything else understands TERM. */
type StopSignal = 'INT' | 'TERM';

const guarded = new Map<number, StopSignal>();
let guardian: ChildProcess | undefined;

/**
 * Makes sure that the process ends when this one does, whatever ends this one.
 * @returns a function to call once the process has ended, so that its id, reused by another, is left alone.
 */
export function guardProcess(pid: number, signal: StopSignal): () => void {
  guarded.set(pid, signal);
  tellGuardian();
  return () => {
    if (guarded.delete(pid)) tellGuardian();
  };
}

/** Ends everything guarded at once. A database gets the signal after which it recovers at its next start. */
export function killGuarded(): void {
  for (const [pid, signal] of guarded) {
    try {
      process.kill(pid, signal === 'INT' ? 'SIGQUIT' : 'SIGKILL');
    } catch {
      // It has ended in this moment.
    }
  }
}

/** Ends the guardian; call it when everything guarded has ended and this process is about to. */
export async function dismissGuardian(): Promise<void> {
  const child = guardian;
  guardian = undefined;
  if (!child?.stdin) return;
  child.ref();
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.stdin.end();
  await ended;
}

function tellGuardian(): void {
  if (process.platform === 'win32') return;
  if (!guardian && guarded.size === 0) return;
  guardian ??= startGuardian();
  const list = [...guarded].map(([pid, signal]) => `${signal}:${pid}`).join(' ');
  guardian.stdin?.write(`${list}\n`);
}

function startGuardian(): ChildProcess {
  const child = spawn('/bin/sh', [GUARDIAN_SCRIPT], {
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.once('exit', () => {
    if (guardian !== child) return;
    guardian = undefined;
    if (guarded.size > 0) tellGuardian();
  });
  child.stdin.on('error', () => undefined);
  child.unref();
  // The pipe is a socket: it must not keep this process alive either.
  (child.stdin as Socket).unref();
  return child;
}
