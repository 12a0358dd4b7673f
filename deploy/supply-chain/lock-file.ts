import { readFileSync } from 'node:fs';

export type LockedPackage = {
  version: string;
  license?: string;
  integrity?: string;
  /** Only developers get it. */
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
};

/** The packages of package-lock.json (version 3) by their folder, the project itself left out. */
export function readLockFile(file: string): Map<string, LockedPackage> {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(Object.entries(packages).filter(([folder]) => folder !== ''));
}

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
export function packageName(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
