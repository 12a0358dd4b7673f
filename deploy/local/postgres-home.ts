import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { canWorkIn, type RunAs } from './unprivileged-user.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

export const CLUSTER_FOLDER = 'cluster';
const LOCATION_FILE = 'location.json';
/** Folders that only root can write to, so that nobody else can prepare a trap below them. */
const ROOT_OWNED_PARENTS = ['/var/lib', '/var/db'];
const RELOCATION_FOLDER = 'task-management-service';

/**
 * Where the cluster of this directory lives: in the directory itself, or, when root's directory can't be reached
 * by the account PostgreSQL runs as, in a folder of root's own that the directory then remembers.
 */
export function resolvePostgresHome(directory: string, runAs: RunAs): string {
  if (!runAs || existsSync(path.join(directory, CLUSTER_FOLDER))) return directory;
  const recorded = recordedHome(directory);
  if (recorded) {
    if (existsSync(recorded)) return recorded;
    throw new Error(
      `the database of ${directory} was kept in ${recorded}, which is gone: restore it, or remove the data directory to begin anew`,
    );
  }
  if (canHoldCluster(directory, runAs)) return directory;
  const home = createRelocatedHome();
  writeFileAtomically(path.join(directory, LOCATION_FILE), JSON.stringify({ home }));
  return home;
}

/** Whether a cluster was made for this directory, wherever it lives. */
export function hasCluster(directory: string): boolean {
  return existsSync(path.join(directory, CLUSTER_FOLDER)) || recordedHome(directory) !== undefined;
}

/** Removes a cluster and everything made for it, wherever it lives. It must not be running. */
export function removeEmbeddedPostgres(directory: string): void {
  const relocated = recordedHome(directory);
  if (relocated) rmSync(relocated, { recursive: true, force: true });
  rmSync(directory, { recursive: true, force: true });
}

function recordedHome(directory: string): string | undefined {
  const file = path.join(directory, LOCATION_FILE);
  if (!existsSync(file)) return undefined;
  const record: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (record instanceof Object && 'home' in record && typeof record.home === 'string') return record.home;
  throw new Error(`${file} does not say where the database is`);
}

function canHoldCluster(directory: string, runAs: NonNullable<RunAs>): boolean {
  const probe = mkdtempSync(path.join(directory, 'probe-'));
  try {
    chownSync(probe, runAs.uid, runAs.gid);
    return canWorkIn(probe, runAs);
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

function createRelocatedHome(): string {
  const parent = ROOT_OWNED_PARENTS.find((candidate) => existsSync(candidate));
  const home = parent
    ? mkdtempSync(path.join(rootOwnedFolder(parent), 'data-'))
    : mkdtempSync('/var/tmp/tasks-data-');
  chmodSync(home, 0o711);
  return home;
}

function rootOwnedFolder(parent: string): string {
  const folder = path.join(parent, RELOCATION_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const status = lstatSync(folder);
  if (!status.isDirectory() || status.uid !== 0 || (status.mode & 0o022) !== 0) {
    throw new Error(`${folder} must be a folder that only root can write to`);
  }
  chmodSync(folder, 0o711);
  return folder;
}
