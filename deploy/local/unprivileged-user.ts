import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** The account PostgreSQL runs as when this process is root; undefined when this process is not root. */
export type RunAs = { uid: number; gid: number } | undefined;

const CANDIDATES = ['postgres', '_postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root, so root hands it to an account without rights.
 * @param existingData a directory that already belongs to the right account, if it exists
 */
export function unprivilegedUser(existingData: string): RunAs {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(existingData, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of CANDIDATES) {
    const uid = idOf('-u', name);
    const gid = idOf('-g', name);
    if (uid && gid) return { uid, gid };
  }
  throw new Error(
    `PostgreSQL does not run as root, and none of the users ${CANDIDATES.join(', ')} exists: start as another user`,
  );
}

/** Whether that account could work in the directory: reach it, and write there. */
export function canWorkIn(directory: string, runAs: RunAs): boolean {
  const script = 'cd "$1" && : > probe && rm probe';
  return (
    spawnSync('/bin/sh', ['-c', script, 'sh', directory], { ...runAs, cwd: '/', stdio: 'ignore' }).status ===
    0
  );
}

function idOf(flag: '-u' | '-g', name: string): number | undefined {
  const result = spawnSync('id', [flag, name], { encoding: 'utf8' });
  return result.status === 0 ? Number(result.stdout.trim()) : undefined;
}
