import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const projectFolder = path.join(import.meta.dirname, '../..');
/** What the build reads: the app, what it shares with the services, and the versions of its libraries. */
const sources = ['services/web-app/**', 'shared/**', 'package.json', 'package-lock.json'];
const watched = ['services/web-app/src', 'shared'];
const settleMilliseconds = 50;

/** Paths below the project's folder, in a fixed order. */
function sourceFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: projectFolder }).toSorted();
}

/** Changes with any source. */
export function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(sourceFiles)) {
    const place = path.join(projectFolder, file);
    if (statSync(place).isFile()) hash.update(`${file}\0`).update(readFileSync(place)).update('\0');
  }
  return hash.digest('base64url');
}

/** Calls `work` after each change of a source, one call at a time, for as long as the process runs. */
export async function onSourceChange(work: () => Promise<void>): Promise<never> {
  let changed = Promise.withResolvers<void>();
  for (const folder of watched) {
    watch(path.join(projectFolder, folder), { recursive: true }, () => changed.resolve());
  }
  for (;;) {
    await changed.promise;
    // An editor writes a file in several steps.
    await delay(settleMilliseconds);
    changed = Promise.withResolvers();
    await work();
  }
}
