import { spawnSync } from 'node:child_process';
import { testWithProgram } from './test-with-program.ts';

/** Of Debian's package `prometheus`. */
export const testWithPromtool = testWithProgram(
  'promtool',
  spawnSync('promtool', ['--version']).status === 0,
);

/** `cwd`: what file names are relative to; `input`: what the program reads. */
export function runPromtool(
  options: { cwd?: string; input?: string },
  ...words: string[]
): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', words, { ...options, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
