import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectFolder } from '#tests/architecture/source-files.ts';

type Owner = { teardown(end: () => void): void };

/** What a release needs so that its tests can run at all. */
const needed = [
  'package.json',
  'package-lock.json',
  'ava.config.js',
  'tests/support/end-process.ts',
  'tests/support/plain-stack-traces.ts',
  'tests/support/run-totals.ts',
  'tests/support/test-environment.ts',
];

/**
 * A history of two commits, the first of them the branch `before`, of a project that has the present packages and
 * nothing but these files of its own. Where its repository is.
 */
export function makeHistory(owner: Owner, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'made-history-'));
  owner.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const present = needed.map((file) => [file, readFileSync(path.join(projectFolder, file), 'utf8')] as const);
  for (const [file, text] of [...present, ...Object.entries(files)]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message=before');
  git(folder, 'branch', 'before');
  git(folder, 'commit', '--quiet', '--message=present', '--allow-empty');
  return path.join(folder, '.git');
}

function git(folder: string, ...words: string[]): void {
  const own = ['user.name=Ada', 'user.email=ada@example.com', 'commit.gpgsign=false'];
  const options = own.flatMap((setting) => ['-c', setting]);
  const { status, stderr } = spawnSync('git', [...options, ...words], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
