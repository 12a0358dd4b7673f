import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import type { Guard } from '#tools/guards/guard.ts';
import { guards } from '#tools/guards/guards.ts';
import { brokenRules, importRules } from './import-rules.ts';
import { type Import, importsOf } from './read-imports.ts';
import {
  placesOf,
  programFiles,
  projectFolder,
  projectPaths,
  readProjectFiles,
  type SourceFile,
  testFiles,
} from './source-files.ts';

const program = readProjectFiles(programFiles);
const styles = readProjectFiles(/^services\/.*\.css$/);
const tests = readProjectFiles(testFiles);
const lineCount = ({ text }: SourceFile): number => text.trimEnd().split('\n').length;

test('no file of the program has more than 300 lines, no test more than 400', (t) => {
  const long = [
    ...[...program, ...styles].filter((file) => lineCount(file) > 300),
    ...tests.filter((file) => lineCount(file) > 400),
  ];
  t.deepEqual(
    long.map((file) => `${file.path} has ${lineCount(file)} lines`),
    [],
  );
});

test('no line has more than 110 characters, texts and SQL included', (t) => {
  t.deepEqual(
    [...program, ...styles, ...tests].flatMap((file) => placesOf(file, /^.{111,}$/gmu)),
    [],
  );
});

test('each guard that can be taken out is at one place of its file, and its test exists', (t) => {
  const paths = new Set(projectPaths());
  const isAtOnePlace = ({ file, from }: Guard) =>
    paths.has(file) && readFileSync(path.join(projectFolder, file), 'utf8').split(from).length === 2;
  const lost = guards.filter((guard) => !isAtOnePlace(guard) || !paths.has(guard.test));
  t.deepEqual(
    lost.map(({ promise }) => promise),
    [],
  );
});

test('every file and folder is named after its content', (t) => {
  const empty = /^(.*-)?(utils?|helpers?|common|misc|index)$/;
  const unnamed = projectPaths().filter((file) => {
    const { dir, name } = path.posix.parse(file);
    return [...dir.split('/'), name.replace(/\..*/, '')].some((part) => empty.test(part));
  });
  t.deepEqual(unnamed, []);
});

test('nothing is exported by default', (t) => {
  const pattern = /^export default\b|^export \{[^}]*\bas default\b/gm;
  t.deepEqual(
    [...program, ...tests].flatMap((file) => placesOf(file, pattern)),
    [],
  );
});

/** Where a program starts: it reads the environment once and hands it to the reader of its settings. */
const entryPoints =
  /^(services\/[\w-]+\/src\/main|deploy\/(local\/start|admin\/(admin|migrate)|container\/(run|health)))\.ts$/;

test('only entry points read process.env', (t) => {
  const pattern =
    /\bprocess\s*\.\s*env\b|\bprocess\[|\benv\s*\}\s*=\s*process\b|\benv\b[^;]*'(node:)?process'/g;
  const readers = program.filter(({ path: file }) => !entryPoints.test(file));
  t.deepEqual(
    readers.flatMap((file) => placesOf(file, pattern)),
    [],
  );
});

/** Their folder is read. */
const isMigration = /\/database\/migrations\//;
const declaration = /^export (?:async )?(?:class|const|function|let|type) (\w+)/gm;

test('every export is used: a file that imports its file has its name', (t) => {
  const files = [...program, ...tests, ...readProjectFiles(/^ava\.config\.js$/)];
  const importers = Map.groupBy(
    files.flatMap((file) => importsOf(file).map(({ to }) => ({ to, text: file.text }))),
    ({ to }) => to,
  );
  const unused = files
    .filter(({ path }) => !isMigration.test(path))
    .flatMap((file) => {
      const elsewhere = new Set(importers.get(file.path)?.flatMap(({ text }) => text.match(/\w+/g) ?? []));
      const names = [...file.text.matchAll(declaration)].map(([, name = '']) => name);
      return names.filter((name) => !elsewhere.has(name)).map((name) => `${file.path} ${name}`);
    });
  t.deepEqual(unused, []);
});

test('no file names a path of the machine it was written on', (t) => {
  // In parts, because this file is searched too.
  const pattern = new RegExp(
    ['(?<![\\w.])/(work|farm)/(?=\\w)', ['\\.\\.', 'shared'].join('/')].join('|'),
    'g',
  );
  const texts = readProjectFiles(/(?<!\.(png|ico|woff2?|jpe?g|webp))$/);
  t.deepEqual(
    texts.flatMap((file) => placesOf(file, pattern)),
    [],
  );
});

test('no lock file names a registry', (t) => {
  const lockFiles = readProjectFiles(/(^|\/)package-lock\.json$/);
  t.true(lockFiles.length > 0);
  t.deepEqual(
    lockFiles.flatMap((file) => placesOf(file, /"resolved":\s*"[a-z+]+:[^"]*"/g)),
    [],
  );
});

/** Changing what a dependency or Node made, or reading undocumented members. `_meta` is a field of MCP. */
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

const readDocument = (path: RegExp): string => readProjectFiles(path)[0]?.text ?? '';

test('every file that the map names exists', (t) => {
  const named = readDocument(/^CODEBASE\.md$/).match(/(?<=`)[\w./-]+\.(ts|tsx|md)(?=`)/g) ?? [];
  const paths = projectPaths().map((path) => `/${path}`);
  t.true(named.length > 30);
  t.deepEqual(
    named.filter((name) => !paths.some((path) => path.endsWith(`/${name}`))),
    [],
  );
});

test('every test file and folder that the security document names exists', (t) => {
  const document = readDocument(/^docs\/security\.md$/);
  const paths = projectPaths();
  const places = [...document.matchAll(/`(tests\/[\w/-]+)(\*?)`/g)].map(([, place = '', rest]) =>
    rest === '*' ? place : new RegExp(`^${place}((\\.exhaustive)?\\.test\\.ts$|/)`),
  );
  t.true(places.length > 10);
  const missing = places.filter((place) =>
    paths.every((path) => !(typeof place === 'string' ? path.startsWith(place) : place.test(path))),
  );
  t.deepEqual([...new Set(missing)], []);
});

const sources = [programFiles, testFiles].flatMap(readProjectFiles);
const imports = sources.flatMap(importsOf);

test('every import keeps to the boundaries of modules', (t) => {
  t.deepEqual(brokenRules(imports), []);
});

test('no imports form a cycle, types included', (t) => {
  t.deepEqual(importCycles(imports), []);
});

test('every rule applies to some file', (t) => {
  const idle = importRules.filter(({ from }) => !sources.some(({ path }) => from.test(path)));
  t.deepEqual(idle, []);
});

/** Each cycle once, as the sources on it. */
function importCycles(edges: readonly Import[]): string[][] {
  const graph = Map.groupBy(edges, ({ from }) => from);
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file]);
    if (start >= 0 || finished.has(file)) return;
    for (const { to } of graph.get(file) ?? []) visit(to, [...trail, file]);
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}
