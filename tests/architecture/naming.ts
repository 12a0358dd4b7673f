import path from 'node:path';
import { placesOf, type SourceFile } from './source-files.ts';

/** Names that say nothing of what is inside. */
const emptyNames = /^(.*-)?(utils?|helpers?|common|misc|index)$/;

/** Files and folders whose name says nothing. */
export function emptyFileNames(paths: readonly string[]): string[] {
  return paths.filter((file) => {
    const { dir, name } = path.posix.parse(file);
    return [...dir.split('/'), name.split('.')[0] ?? ''].some((part) => emptyNames.test(part));
  });
}

/** A default export has no name that a search finds. */
export function defaultExports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => placesOf(file, /^export default\b|^export \{[^}]*\bas default\b/gm));
}

export function environmentReads(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    placesOf(file, /\bprocess\s*\.\s*env\b|\bprocess\[|\benv\s*\}\s*=\s*process\b/g),
  );
}

/** `import { env } from 'node:process'`, whatever else is taken along. */
export function environmentImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => placesOf(file, /^import\s[^;]*\benv\b[^;]*'(node:)?process'/gm));
}
