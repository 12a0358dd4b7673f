import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { endOf } from '#local/process-end.ts';
import { waitFor } from '../support/wait-for.ts';
import { familyOf, waitForEnd } from './local-start.ts';

const project = path.resolve(import.meta.dirname, '../..');

test('Ctrl-C while a case of the bench runs ends it, says so, and leaves no process and no file', async (t) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'bench-test-'));
  t.teardown(() => rmSync(home, { recursive: true, force: true }));
  // The account PostgreSQL runs as must be able to pass through.
  chmodSync(home, 0o711);
  const child = spawn(process.execPath, ['tools/bench/run-bench.ts', '--quick', 'start'], {
    cwd: project,
    env: { ...process.env, TMPDIR: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => void child.kill('SIGKILL'));
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  const ended = endOf(child);
  const hasBegun = (): boolean => {
    if (child.exitCode !== null) throw new Error(`the bench has ended:\n${written}`);
    return written.includes('1/1 start');
  };
  await waitFor(hasBegun, { timeoutMilliseconds: 60_000, what: 'the case' });
  const family = familyOf(child.pid ?? 0);
  t.true(family.length > 1);
  child.kill('SIGINT');
  t.deepEqual(await ended, { code: 1, signal: null }, written);
  t.true(written.includes('stopping …'), written);
  t.false(written.includes(' at '), written);
  await waitForEnd(family);
  t.deepEqual(readdirSync(home), []);
});
