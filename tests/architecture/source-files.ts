import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** `path` is relative to the project's folder, with forward slashes. */
export type SourceFile = { path: string; text: string };

export const projectFolder = path.join(import.meta.dirname, '../..');

/** The project's own files as git sees them: tracked, or new and not ignored. */
export function projectPaths(): string[] {
  const list = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const paths = execFileSync('git', list, { cwd: projectFolder, encoding: 'utf8' }).split('\0');
  return paths.filter((file) => {
    const place = path.join(projectFolder, file);
    // Git lists removed files until they are staged, and links as files.
    return existsSync(place) && lstatSync(place).isFile();
  });
}

export function readProjectFiles(wanted: RegExp): SourceFile[] {
  return projectPaths()
    .filter((file) => wanted.test(file))
    .map((file) => ({ path: file, text: readFileSync(path.join(projectFolder, file), 'utf8') }));
}

/** What runs in production or on an operator's machine. */
export const programFiles = /^(shared|services|deploy)\/.*\.tsx?$/;
/** Tests, and the programs that measure and rehearse. */
export const testFiles = /^(tests|tools)\/.*\.ts$/;

/** The places where `pattern` (global) occurs, as `path:line text`. */
export function placesOf({ path: file, text }: SourceFile, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${file}:${line} ${found.trim()}`;
  });
}
