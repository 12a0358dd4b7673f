import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Installs the packages of the lock file in `source` into `folder`, without install scripts of theirs. Kept
 * from run to run, until the lock file changes. `beforeInstall` runs where something is to be installed.
 */
export function installLocked(source: string, folder: string, beforeInstall = (): void => undefined): void {
  const lockFile = readFileSync(path.join(source, 'package-lock.json'), 'utf8');
  const mark = path.join(folder, 'installed-lock.json');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lockFile) return;
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(path.join(source, file), path.join(folder, file));
  beforeInstall();
  const options = ['--ignore-scripts', '--prefer-offline', '--loglevel=error', '--prefix', folder];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(mark, lockFile);
}
