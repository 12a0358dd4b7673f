import test from 'ava';
import { placesOf, programFiles, readProjectFiles, type SourceFile, testFiles } from './source-files.ts';

/** Changing what a dependency or Node made, or reading what it does not document. `_meta` is a field of MCP. */
const privateAccess = [
  /\.prototype\s*=|\.prototype\.\w+\s*=|Object\.(setPrototypeOf|defineProperty|defineProperties)\(/g,
  /\bnew Weak(Map|Set|Ref)\b/g,
  /\bReflect\.(get|set|defineProperty|setPrototypeOf)\(/g,
  /\bObject\.assign\(\s*(process\.release|(this\.)?(pool|client|connection|socket|server|req|res)\b)/g,
  /\bprocess\.(getBuiltinModule|binding|release)\b/g,
  /\bhandleDataRow\b|\.destroySoon\s*=|\.cork\(|\.connection\.stream\b|\bregisterResponseMode\b/g,
  /\bas unknown as\b/g,
  /(?<!\bthis)\??\._(?!meta\b)[a-z]\w*|\[['"]_\w+['"]\]/g,
  /(from|import\() ?'(?:@[\w.-]+\/)?[\w.-]+\/(lib|dist|src|build|internal|cjs|esm)\/[^']*'/g,
];

const findPrivateAccess = (file: SourceFile): string[] =>
  privateAccess.flatMap((pattern) => placesOf(file, pattern));

/** What a dependency made is not changed for a test either. */
const patches = privateAccess.slice(0, 1);

test('no line patches, intercepts or reads private parts of a dependency', (t) => {
  const inPrograms = readProjectFiles(programFiles).flatMap(findPrivateAccess);
  const inTests = readProjectFiles(testFiles)
    .filter(({ path }) => !path.startsWith('tests/architecture/'))
    .flatMap((file) => patches.flatMap((pattern) => placesOf(file, pattern)));
  t.deepEqual([...inPrograms, ...inTests], []);
});
