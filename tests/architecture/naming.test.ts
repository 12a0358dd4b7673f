import test from 'ava';
import { defaultExports, emptyFileNames, environmentImports, environmentReads } from './naming.ts';
import { programFiles, projectPaths, readProjectFiles } from './source-files.ts';

/** Where a program begins: it reads the environment once and hands it to the reader of its settings. */
const entryPoints =
  /^(services\/[\w-]+\/src\/main|deploy\/local\/start|deploy\/admin\/(admin|migrate)|deploy\/container\/(run|health)|tools\/bench\/[\w-]+)\.ts$/;

const code = readProjectFiles(/\.(ts|js|mjs|cjs)$/);
const program = readProjectFiles(programFiles).filter(({ path }) => !entryPoints.test(path));

test('every file and folder is named after what is in it', (t) => {
  t.deepEqual(emptyFileNames(projectPaths()), []);
});

test('nothing is exported by default but ava’s configuration', (t) => {
  t.deepEqual(defaultExports(code.filter(({ path }) => path !== 'ava.config.js')), []);
});

test('only entry points name process.env', (t) => {
  t.deepEqual([...environmentReads(program), ...environmentImports(program)], []);
});

test('names that say nothing are found', (t) => {
  const paths = ['shared/utils.ts', 'a/common/b.ts', 'a/test-helpers.ts', 'a/index.test.ts', 'a/indexing.ts'];
  t.deepEqual(emptyFileNames(paths), paths.slice(0, 4));
});

test('default exports are found', (t) => {
  const text = ['const a = 1;', 'export default a;', 'export { a as default };', 'const asDefault = a;'].join(
    '\n',
  );
  t.deepEqual(defaultExports([{ path: 'a.ts', text }]), [
    'a.ts:2 export default',
    'a.ts:3 export { a as default',
  ]);
});

test('reads of the environment are found in every form', (t) => {
  const text =
    "import { env } from 'node:process';\nprocess.env.A;\nconst { env } = process;\nprocess['env'];\n";
  t.deepEqual(environmentImports([{ path: 'a.ts', text }]).length, 1);
  t.is(environmentReads([{ path: 'a.ts', text }]).length, 3);
});
