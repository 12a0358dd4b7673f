import test from 'ava';
import { programFiles, readProjectFiles, testFiles } from './source-files.ts';
import { unusedExports } from './unused-exports.ts';

test('nothing is exported that nobody uses', (t) => {
  const files = [programFiles, testFiles, /^[\w.]+\.config\.js$/].flatMap(readProjectFiles);
  t.deepEqual(unusedExports(files), []);
});

test('an export that nobody uses is found, of whatever kind', (t) => {
  const kinds = [
    'class A {}',
    'const B = 1;',
    'async function C() {}',
    'type D = 1;',
    'const e: D = 1;',
    'type F = 1;',
    'const g = e;',
  ];
  const exporting = { path: 'shared/a.ts', text: kinds.map((kind) => `export ${kind}\n`).join('') };
  const importing = { path: 'shared/b.ts', text: "import { B } from './a.ts';\n" };
  const other = { path: 'shared/c.ts', text: "import { A } from './b.ts';\n" };
  t.deepEqual(unusedExports([exporting, importing, other]), [
    'shared/a.ts:1 A',
    'shared/a.ts:3 C',
    'shared/a.ts:5 e',
    'shared/a.ts:6 F',
    'shared/a.ts:7 g',
  ]);
});
