import path from 'node:path';
import { installLocked } from '../../install-locked.ts';
import { projectFolder } from '../../results.ts';
import type { Bench } from '../bench.ts';

/** Kept from run to run, until the project's packages are installed anew. */
const installedPeers = path.join(projectFolder, 'node_modules/.cache/bench-peers');

/** Installs the packages of a peer's lock file; the folder. */
export function installPeer({ report }: Pick<Bench, 'report'>, name: 'directus' | 'better-auth'): string {
  const folder = path.join(installedPeers, name);
  installLocked(path.join(import.meta.dirname, name), folder, () =>
    report(`installing ${name} into ${path.relative('.', folder)}, once`),
  );
  return folder;
}
