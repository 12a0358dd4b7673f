import { spawnSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** The account that PostgreSQL runs as when this process is root; undefined when it is not. */
export type RunAs = { uid: number; gid: number } | undefined;

/** PostgreSQL refuses to run as root. `existingData`: where it exists, its owner is the account. */
export function unprivilegedUser(existingData: string): RunAs {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(existingData, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') };
}

/** Whether other accounts can pass through every folder on the way to it, and run it if it is a program. */
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
