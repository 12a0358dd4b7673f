import { placesOf, type SourceFile } from './source-files.ts';

/** Put together from parts, because this file is searched too. */
const buildMachinePaths = new RegExp(
  ['(?<![\\w.])/(work|farm)/(?=\\w)', ['\\.\\.', 'shared'].join('/')].join('|'),
  'g',
);

/** Paths of the machine a file was written on, which mean nothing to anyone else. */
export function foreignPaths(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => placesOf(file, buildMachinePaths));
}

/** Addresses in the lock file: they would bind an installation to the registry of whoever wrote it. */
export function registryAddresses(lockFile: SourceFile): string[] {
  return placesOf(lockFile, /"resolved":\s*"[a-z+]+:[^"]*"/g);
}
