import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { linkTree } from './link-tree.ts';

type LockEntry = { dev?: boolean; optional?: boolean; devOptional?: boolean };

/** The folders that `npm ci --omit=dev --omit=optional` installs: npm has marked every other entry of the lock file. */
function productionPackages(lockFile: string): string[] {
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(lockFile, 'utf8'));
  return Object.entries(lock.packages)
    .filter(([folder, { dev, optional, devOptional }]) => folder !== '' && !dev && !optional && !devOptional)
    .map(([folder]) => folder);
}

/** What `npm ci --omit=dev --omit=optional` does, from the packages that are installed here: without network, in a second. */
export function installProductionPackages(projectFolder: string, target: string): void {
  for (const folder of productionPackages(path.join(target, 'package-lock.json'))) {
    // Packages below a package are entries of their own.
    linkTree(path.join(projectFolder, folder), path.join(target, folder), ['node_modules']);
  }
}

/** What `npm ci` does: these are the packages that are installed here. */
export function installAllPackages(projectFolder: string, target: string): void {
  symlinkSync(path.join(projectFolder, 'node_modules'), path.join(target, 'node_modules'));
}
