import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { extractFiles } from '#tests/deploy/upgrade/previous-release.ts';
import { findCommit, findLastTag, tryGit } from '#tests/deploy/upgrade/project-history.ts';
import { runSuite, say } from '#tests/support/run-suite.ts';
import { templateDatabaseName, testVariables } from '#tests/support/test-environment.ts';
import { leftOut, unmatchLeftOut } from './left-out.ts';
import { RehearsalRefused } from './rehearsal-refused.ts';

type Wanted = { release: string | undefined; files: readonly string[] };

/** By what the runner of this release and the tests of another one understand each other. */
const agreement = [...Object.values(testVariables), templateDatabaseName];

/**
 * Runs the tests of an earlier release, which start its services, over copies of a database with the present
 * migrations. Answers ava's exit code. Throws RehearsalRefused where that release can't be tested so.
 */
export async function rehearsePreviousRelease(wanted: Wanted, interruption: AbortSignal): Promise<number> {
  const release = chooseRelease(wanted.release);
  await using parts = new AsyncDisposableStack();
  const folder = extractFiles({ teardown: (end) => parts.defer(async () => end()) }, release.commit);
  await providePackages(folder, interruption);
  // Its tests of itself ask git which files are its own.
  await run('git', ['init', '--quiet'], folder, interruption);
  say(`The tests of ${release.name} run over the present migrations.`);
  for (const { title, reason } of leftOut) say(`Left out: «${title}» (${reason}).`);
  return await runSuite({ folder, arguments: [...wanted.files, ...unmatchLeftOut()] }, interruption);
}

/** A release whose tests take servers they did not start. Throws RehearsalRefused. */
function chooseRelease(named: string | undefined): { name: string; commit: string } {
  const name = named ?? findLastTag();
  if (name === undefined)
    throw new RehearsalRefused('no release before this one has a tag: name one, as a tag or another git ref');
  const commit = findCommit(name);
  if (commit === undefined)
    throw new RehearsalRefused(`git knows no ${name} here (a shallow clone lacks what came before)`);
  const known = tryGit('show', `${commit}:tests/support/test-environment.ts`) ?? '';
  const missing = agreement.filter((word) => !known.includes(`'${word}'`));
  if (missing.length > 0)
    throw new RehearsalRefused(
      `the tests of ${name} can't run over another release's database: they know nothing of ${missing.join(', ')}`,
    );
  return { name, commit };
}

/** The installed ones where the release has the same, else its own. */
async function providePackages(folder: string, interruption: AbortSignal): Promise<void> {
  const lockFile = 'package-lock.json';
  const [own, present] = [folder, projectFolder].map((place) =>
    readFileSync(path.join(place, lockFile), 'utf8'),
  );
  if (own === present)
    symlinkSync(path.join(projectFolder, 'node_modules'), path.join(folder, 'node_modules'));
  else await run('npm', ['ci', '--no-audit', '--no-fund'], folder, interruption);
}

/** Rejects when the program fails or is interrupted. */
async function run(
  program: string,
  words: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(program, words, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], signal });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} ended with code ${code}`);
}
