import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Guard } from './guard.ts';
import { guards } from './guards.ts';

/**
 * `npm run test:guards [-- <words of promises>]`: takes each guard out of a copy of the committed code and
 * expects the test that is named beside it to fail. Exits with 1 when a test does not notice.
 */
const words = process.argv.slice(2);
const chosen = guards.filter(({ promise }) => words.every((word) => promise.includes(word)));
if (chosen.length === 0) throw new Error(`no guard has the words ${words.join(' ')}`);

const repository = path.join(import.meta.dirname, '../..');
const copy = mkdtempSync(path.join(os.tmpdir(), 'guards-'));
try {
  const cloned = spawnSync('git', ['clone', '--quiet', '--shared', repository, copy], { encoding: 'utf8' });
  if (cloned.status !== 0) throw new Error(cloned.stderr);
  symlinkSync(path.join(repository, 'node_modules'), path.join(copy, 'node_modules'));
  const tests = [...new Set(chosen.map(({ test }) => test))];
  if (!passes(tests)) throw new Error(`these tests must pass with every guard in place: ${tests.join(' ')}`);
  const missed = chosen.filter((guard) => !isNoticed(guard));
  console.log(`\n${chosen.length - missed.length} passed, ${missed.length} failed`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function isNoticed({ promise, file, from, to, test }: Guard): boolean {
  const target = path.join(copy, file);
  const source = readFileSync(target, 'utf8');
  if (source.split(from).length !== 2) {
    console.log(`✘ ${promise}: «${from}» must occur once in ${file}`);
    return false;
  }
  const changed = source.replace(from, () => to);
  writeFileSync(target, changed);
  const isNoticedByTest = !passes([test]);
  writeFileSync(target, source);
  console.log(`${isNoticedByTest ? '✔' : '✘'} ${promise} (${test})`);
  return isNoticedByTest;
}

function passes(tests: readonly string[]): boolean {
  const run = spawnSync(process.execPath, ['tests/run-tests.ts', '--fail-fast', ...tests], {
    cwd: copy,
    stdio: 'ignore',
  });
  return run.status === 0;
}
