import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from '#tests/architecture/source-files.ts';

/** Why there is no earlier release to try, in words. */
export class NoPreviousRelease extends Error {}

const migrations = 'services/*/src/database/migrations/*.ts';
const mostStepsBack = 20;

/**
 * The last tag `v…` before this commit. Before there is one: the last commit without the newest migration whose
 * sources are all there. Throws NoPreviousRelease where git's history does not reach so far.
 */
export function findPreviousRelease(): string {
  const tag = findLastTag();
  if (tag !== undefined) return tag;
  const newest = tryGit('log', '--diff-filter=A', '--format=%H', '-1', '--', migrations);
  const earlier = tryGit('rev-list', `--max-count=${mostStepsBack}`, `${newest}^`)?.split('\n') ?? [];
  const whole = earlier.find(isWhole);
  if (whole === undefined) throw new NoPreviousRelease('git’s history does not reach so far');
  return whole;
}

/** The last tag `v…` before this commit. */
export function findLastTag(): string | undefined {
  return tryGit('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
}

/** The commit that a tag, branch or hash names; undefined where git knows none. */
export function findCommit(name: string): string | undefined {
  return tryGit('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
}

/** Whether every file that is imported is there. */
function isWhole(commit: string): boolean {
  const folders = ['services', 'shared'];
  const files = new Set(git('ls-tree', '-r', '--name-only', commit, ...folders).split('\n'));
  const imports = git('grep', '-oE', "from '[^']+[.]ts'", commit, '--', ...folders).split('\n');
  return imports.every((line) => {
    const [, from = '', to = ''] = /^[^:]+:([^:]+):from '(.+)'$/.exec(line) ?? [];
    return files.has(resolveImport(from, to));
  });
}

function resolveImport(from: string, to: string): string {
  const [, service, rest] = /^#(resource-api|auth-server)\/(.+)$/.exec(to) ?? [];
  if (service !== undefined) return `services/${service}/src/${rest}`;
  return to.startsWith('#') ? to.slice(1) : path.posix.join(path.posix.dirname(from), to);
}

export function git(...words: string[]): string {
  const run = runGit(words);
  if (run.status !== 0) throw new Error(`git ${words[0]}: ${run.stderr}`);
  return run.stdout.trim();
}

/** As `git`, but undefined for what git refuses and for an empty answer. */
export function tryGit(...words: string[]): string | undefined {
  const run = runGit(words);
  return run.status === 0 && run.stdout !== '' ? run.stdout.trim() : undefined;
}

function runGit(words: readonly string[]) {
  const options = { cwd: projectFolder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  return spawnSync('git', ['-c', 'safe.directory=*', ...words], options);
}
