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

/** Its sources in a folder of their own, beside the installed packages. */
export function extractRelease(owner: Owner, release: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'previous-release-'));
  owner.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const script = 'git -c safe.directory="*" archive "$1" package.json services shared | tar -x -C "$2"';
  const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script, 'bash', release, folder], {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  symlinkSync(path.join(projectFolder, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

function installedVersion(name: string): string | undefined {
  const file = path.join(projectFolder, 'node_modules', name, 'package.json');
  if (!existsSync(file)) return undefined;
  const manifest: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return manifest.version;
}
