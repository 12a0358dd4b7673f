import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { programEnvironment } from '#tests/support/program-environment.ts';

const root = path.join(import.meta.dirname, '../..');

export type ProgramResult = { exitCode: number | null; stdout: string; stderr: string };

let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs a program of this project in a process of its own, with these environment variables and no others that
 * it reads. One at a time: the tests of a file start together, and their processes would starve each other.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  standardInput = '',
): Promise<ProgramResult> {
  const result = previous.then(() => startProgram(file, args, env, undefined, standardInput).ended);
  previous = result.catch(() => undefined);
  return result;
}

/** Likewise, at once; `onError` is told what it writes to its standard error, as it comes. */
export function startProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onError: (text: string) => void = () => undefined,
  standardInput = '',
): { ended: Promise<ProgramResult>; stop(): void } {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    env: { ...programEnvironment, ...env },
    stdio: 'pipe',
  });
  // A program that does not read it may have closed it.
  child.stdin.on('error', () => undefined).end(standardInput);
  child.stderr.setEncoding('utf8').on('data', onError);
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'close').then(async () => {
    const [stdout, stderr] = await output;
    return { exitCode: child.exitCode, stdout, stderr };
  });
  return { ended, stop: () => void child.kill('SIGKILL') };
}
