import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** `path` is relative to the project's folder, with forward slashes. */
export type SourceFile = { path: string; text: string };

export const projectFolder = path.join(import.meta.dirname, '../..');

/** The project's own files as git sees them: tracked, or new and not ignored. */
export function projectPaths(): string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const paths = execFileSync('git', ['-c', 'safe.directory=*', ...list], {
    cwd: projectFolder,
    encoding: 'utf8',
  }).split('\0');
  return paths.filter((file) => file !== '' && isFile(path.join(projectFolder, file)));
}

/** Not so for what git still lists though it is gone, and for links, which git lists as files. */
function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

export function readProjectFiles(wanted: RegExp): SourceFile[] {
  return projectPaths()
    .filter((file) => wanted.test(file))
    .map((file) => ({ path: file, text: readFileSync(path.join(projectFolder, file), 'utf8') }));
}

/** The program: what runs in production or on an operator's machine. */
export const programFiles = /^(shared|services|deploy|tools\/bench)\/.*\.ts$/;
export const testFiles = /^(tests|tools\/(faults|rehearsals))\/.*\.ts$/;

/** `path:line`, as editors and terminals follow it. */
export function placeOf({ path: file, text }: SourceFile, index: number): string {
  return `${file}:${text.slice(0, index).split('\n').length}`;
}

/** The places where `pattern` (global) occurs. */
export function placesOf(file: SourceFile, pattern: RegExp): string[] {
  return [...file.text.matchAll(pattern)].map((match) => `${placeOf(file, match.index)} ${match[0].trim()}`);
}
