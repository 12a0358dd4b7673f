import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { findPreviousRelease, git, NoPreviousRelease } from './project-history.ts';

type Owner = { teardown(end: () => void): void };

/** A tag or commit. Throws NoPreviousRelease, also where it needs packages that are no longer installed. */
export function findRunnableRelease(): string {
  const release = findPreviousRelease();
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    git('show', `${release}:package.json`),
  );
  const missing = Object.entries(dependencies).find(([name, version]) => installedVersion(name) !== version);
  if (missing !== undefined) throw new NoPreviousRelease(`${release} needs ${missing.join(' ')}`);
  return release;
}

/** The sources of its services in a folder of their own, beside the installed packages. */
export function extractRelease(owner: Owner, release: string): string {
  const folder = extractFiles(owner, release, ['package.json', 'services', 'shared']);
  symlinkSync(path.join(projectFolder, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** These files of it, all of them unless given, in a folder of their own. */
export function extractFiles(owner: Owner, release: string, wanted: readonly string[] = []): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'previous-release-'));
  owner.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const script = 'git -c safe.directory="*" archive "$1" "${@:3}" | tar -x -C "$2"';
  const words = ['-euo', 'pipefail', '-c', script, 'bash', release, folder, ...wanted];
  const { status, stderr } = spawnSync('bash', words, { cwd: projectFolder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return folder;
}

function installedVersion(name: string): string | undefined {
  const file = path.join(projectFolder, 'node_modules', name, 'package.json');
  if (!existsSync(file)) return undefined;
  const manifest: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return manifest.version;
}
