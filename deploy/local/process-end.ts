import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

export type ProcessEnd = { code: number | null; signal: NodeJS.Signals | null };

/** A signal, and how long it may take to work before the next one is sent. */
export type StopStep = { signal: NodeJS.Signals; graceMilliseconds: number };

/** Resolves when the process has ended; rejects only when it could not be started at all. */
export function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => {
      if (child.pid === undefined) reject(error);
    });
  });
}

/** For a sentence: "ended with code 1", "was killed by SIGKILL". */
export function describeEnd(end: ProcessEnd): string {
  return end.signal ? `was killed by ${end.signal}` : `ended with code ${end.code}`;
}

/** This process may end of its own accord although the child still runs. */
export function letGo(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    if (stream instanceof Socket) stream.unref();
  }
}

/** Sends one signal after the other until the process has ended. */
export async function stopProcess(
  child: ChildProcess,
  ended: Promise<ProcessEnd>,
  steps: readonly StopStep[],
): Promise<void> {
  child.ref();
  for (const { signal, graceMilliseconds } of steps) {
    child.kill(signal);
    if (await endsWithin(ended, graceMilliseconds)) return;
  }
  await ended;
}

async function endsWithin(ended: Promise<ProcessEnd>, milliseconds: number): Promise<boolean> {
  const deadline = Promise.withResolvers<false>();
  const timer = setTimeout(() => deadline.resolve(false), milliseconds);
  try {
    return await Promise.race([ended.then(() => true), deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}
