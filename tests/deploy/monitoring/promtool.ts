import { spawnSync } from 'node:child_process';
import { testWithProgram } from '#tests/support/test-with-program.ts';

/** Of Debian's package `prometheus`. */
const program = 'promtool';
const isInstalled = spawnSync(program, ['--version']).status === 0;

/** A test that needs promtool: skipped where it is missing, and its title says so. */
export const testWithPromtool = testWithProgram(program, isInstalled);

/** `directory`: what files are relative to; `input`: what the program reads. */
export function runPromtool(
  { directory, input }: { directory?: string; input?: string },
  ...words: string[]
): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: directory, input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
