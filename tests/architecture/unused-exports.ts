import { importsOf } from './read-imports.ts';
import { placeOf, type SourceFile } from './source-files.ts';

const declaration = /^export (?:async )?(?<kind>class|const|function|let|type) (?<name>\w+)/gm;

/** Their files are found by their folder, and everything in them is taken. */
const foundByFolder = /^tools\/(bench\/cases|faults\/scenarios)\//;

const wordsOf = (text: string): string[] => text.match(/\w+/g) ?? [];

/**
 * The places of exports that nobody uses: no file that imports theirs has the name. A type may also be there for what
 * its own file exports, whose callers want to know it: then that has the name a second time.
 */
export function unusedExports(files: readonly SourceFile[]): string[] {
  const importers = Map.groupBy(
    files.flatMap((file) => importsOf(file).map(({ to }) => ({ to, text: file.text }))),
    ({ to }) => to,
  );
  return files
    .filter(({ path }) => !foundByFolder.test(path))
    .flatMap((file) => {
      const elsewhere = new Set((importers.get(file.path) ?? []).flatMap(({ text }) => wordsOf(text)));
      const own = wordsOf(file.text);
      const isNamedTwice = (name: string): boolean => own.indexOf(name) !== own.lastIndexOf(name);
      return [...file.text.matchAll(declaration)].flatMap(({ groups: { kind, name = '' } = {}, index }) => {
        const isUsed = elsewhere.has(name) || (kind === 'type' && isNamedTwice(name));
        return isUsed ? [] : [`${placeOf(file, index)} ${name}`];
      });
    });
}
