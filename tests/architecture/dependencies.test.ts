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

for (const text of [
  'Made.prototype = prototype;',
  'Response.prototype.send = send;',
  'const seen = new WeakMap<Socket, number>();',
  'Object.assign(pool, { connect });',
  "process.getBuiltinModule('http')",
  'socket.destroySoon = close;',
  'const pool = driver as unknown as Pool;',
  'client.connection.stream.destroy()',
  'client._ending',
  "schema['_type']",
  "import { parse } from 'pg-protocol/dist/parser.js';",
  "await import('@scope/package/lib/private.js')",
]) {
  test(`«${text}» is found`, (t) => {
    t.is(findPrivateAccess({ path: 'a.ts', text }).length, 1);
  });
}
