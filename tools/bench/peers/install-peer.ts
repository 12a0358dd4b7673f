import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../results.ts';
import type { Bench } from '../bench.ts';

/** Kept from run to run, until the project's packages are installed anew. */
const installedPeers = path.join(projectFolder, 'node_modules/.cache/bench-peers');

/** Installs the packages of a peer's lock file, without install scripts of theirs; the folder. */
export function installPeer({ report }: Pick<Bench, 'report'>, name: 'directus' | 'better-auth'): string {
  const source = path.join(import.meta.dirname, name);
  const folder = path.join(installedPeers, name);
  const lockFile = readFileSync(path.join(source, 'package-lock.json'), 'utf8');
  const mark = path.join(folder, 'installed-lock.json');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lockFile) return folder;
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(path.join(source, file), path.join(folder, file));
  report(`installing ${name} into ${path.relative('.', folder)}, once`);
  const options = ['--ignore-scripts', '--prefer-offline', '--loglevel=error', '--prefix', folder];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(mark, lockFile);
  return folder;
}
