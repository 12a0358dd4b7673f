import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { programEnvironment } from '#tests/support/program-environment.ts';

const root = path.join(import.meta.dirname, '../..');

export type ProgramResult = { exitCode: number | null; stdout: string; stderr: string };

let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs a program of this project in a process of its own, with these environment variables and no others that it reads.
 * One at a time: the tests of a file start together, and their processes would starve each other.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramResult> {
  const result = previous.then(() => run(file, args, env));
  previous = result.catch(() => undefined);
  return result;
}

async function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    env: { ...programEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { exitCode: child.exitCode, stdout, stderr };
}
