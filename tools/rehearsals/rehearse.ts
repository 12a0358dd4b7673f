import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runSuite, runToItsEnd, say } from '#tests/support/run-suite.ts';
import { templateDatabaseName, testVariables } from '#tests/support/test-environment.ts';

/*
 * npm run rehearse [-- <git ref> [-- <files or other arguments of ava>]]
 * The tests and the services of an earlier release, by default the last tag v…, over the present schema.
 */

const projectFolder = path.join(import.meta.dirname, '../..');

/** Tests that cannot pass over a later schema, though the release works there; by their titles. */
const leftOut: Readonly<Record<string, string>> = {
  '* which has its documented columns': 'a later release may add columns at a view’s end',
  '* waits for a migration that its release brings, and does not mind newer ones':
    'it reverts the newest migration, which is the later release’s',
  'every statement is for the partition of its account, but for those of many accounts':
    'it expects that every table is used, and a later release’s new ones are not',
};

/** Throws what the program says when it fails. */
function run(program: string, words: readonly string[], cwd = projectFolder): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr || error}`);
  return stdout.trim();
}

const git = (...words: string[]) => run('git', ['-c', 'safe.directory=*', ...words]);

/** The last tag v… before this commit; undefined if there is none. */
function lastTag(): string | undefined {
  if (git('tag', '--list', 'v*', '--merged', 'HEAD^') === '') return undefined;
  return git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
}

/** Throws where the tests of the release start servers of their own. */
function checkRelease(release: string): void {
  const environment = git('show', `${release}:tests/support/test-environment.ts`);
  const agreed = [...Object.values(testVariables), templateDatabaseName];
  const missing = agreed.filter((name) => !environment.includes(`'${name}'`));
  if (missing.length > 0) throw new Error(`the tests of ${release} do not know ${missing.join(', ')}`);
}

/** The files of the release with its packages: the installed ones where its lock file is the same. */
function extractRelease(release: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'release-'));
  const archive = path.join(folder, 'release.tar');
  git('archive', `--output=${archive}`, release);
  run('tar', ['-x', '-f', archive, '-C', folder]);
  rmSync(archive);
  const lockOf = (place: string) => readFileSync(path.join(place, 'package-lock.json'), 'utf8');
  const installed = path.join(projectFolder, 'node_modules');
  if (lockOf(folder) === lockOf(projectFolder) && existsSync(installed))
    symlinkSync(installed, path.join(folder, 'node_modules'));
  else run('npm', ['ci', '--no-audit', '--no-fund'], folder);
  // Tests of the architecture ask git which files are the project's.
  run('git', ['init', '--quiet'], folder);
  return folder;
}

await runToItsEnd(async (interruption) => {
  const [named, ...others] = process.argv.slice(2);
  const release = named ?? lastTag();
  if (release === undefined) {
    say('No commit before this one has a tag v…: name the release, as in «npm run rehearse -- COMMIT».');
    return 2;
  }
  checkRelease(release);
  const folder = extractRelease(release);
  try {
    say(`The tests of ${release} run over the present migrations.`);
    for (const [title, reason] of Object.entries(leftOut)) say(`Left out: «${title}» (${reason}).`);
    const unmatched = Object.keys(leftOut).map((title) => `--match=!${title}`);
    const files = others.filter((word) => word !== '--');
    return await runSuite({ folder, arguments: [...files, ...unmatched] }, interruption);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
