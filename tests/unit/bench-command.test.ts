import { spawnSync } from 'node:child_process';
import path from 'node:path';
import test from 'ava';

const project = path.join(import.meta.dirname, '../..');

for (const [option, fault] of [
  ['--bogus', "Unknown option '--bogus'"],
  ['--quick=3', "Option '--quick' does not take an argument"],
  ['no-such-case', 'there is no case no-such-case'],
] as const) {
  test(`the bench answers ${option} with one line and code 2`, (t) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/bench/run-bench.ts', option], {
      cwd: project,
      encoding: 'utf8',
    });
    t.is(status, 2, stdout + stderr);
    t.is(stderr, '');
    t.true(stdout.startsWith(fault), stdout);
    t.is(stdout.trimEnd().split('\n').length, 1);
  });
}
