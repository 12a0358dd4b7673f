import { spawnSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** The user that PostgreSQL runs as if this process is root; else undefined. */
export type RunAs = { uid: number; gid: number } | undefined;

/**
 * PostgreSQL refuses to run as root. The owner of `existingData`, if it exists, else an unprivileged user.
 */
export function unprivilegedUser(existingData: string): RunAs {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(existingData, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
}

/** Whether other users can traverse every parent folder, and execute it if it is a program. */
export function isOpenToOthers(place: string): boolean {
  const real = realpathSync(place);
  const parent = path.dirname(real);
  return (statSync(real).mode & 0o001) !== 0 && (parent === real || isOpenToOthers(parent));
}

function idOfNobody(flag: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' });
  if (status === 0) return Number(stdout.trim());
  throw new Error('PostgreSQL does not run as root, and there is no user «nobody»: start as another user');
}
