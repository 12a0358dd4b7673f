import { importsOf } from './read-imports.ts';
import { placeOf, type SourceFile } from './source-files.ts';

const declaration = /^export (?:async )?(?:class|const|function|let|type) (?<name>\w+)/gm;

/** Their files are found by their folder, and everything in them is taken. */
const foundByFolder = /^(bench\/cases|tests\/faults\/scenarios)\//;

const wordsOf = (text: string): string[] => text.match(/\w+/g) ?? [];

/** The places of exports that nobody uses: no file that imports theirs has the name, nor has their own a second time. */
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
      const isUsed = (name = ''): boolean =>
        elsewhere.has(name) || own.indexOf(name) !== own.lastIndexOf(name);
      return [...file.text.matchAll(declaration)]
        .filter(({ groups }) => !isUsed(groups?.name))
        .map(({ groups, index }) => `${placeOf(file, index)} ${groups?.name}`);
    });
}
