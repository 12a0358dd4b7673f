import test from 'ava';
import { importsOf } from './read-imports.ts';
import {
  type DeclaredTitles,
  declaredTitles,
  missingPlaces,
  missingTests,
  namedTests,
} from './security-map.ts';
import { projectPaths, readProjectFiles, type SourceFile, testFiles } from './source-files.ts';

const [document] = readProjectFiles(/^docs\/security\.md$/);
const markdown = document?.text ?? '';
const named = namedTests(markdown);

/** Of the test files that are named, with the tables that they import from other tests. */
function titlesOfNamedFiles(): DeclaredTitles[] {
  const files = new Map(readProjectFiles(testFiles).map((file) => [file.path, file]));
  const paths = new Set(named.map(({ file }) => `${file}.test.ts`));
  const tablesOf = (file: SourceFile) => importsOf(file).map(({ to }) => files.get(to)?.text ?? '');
  return [...paths].flatMap((path) => {
    const file = files.get(path);
    return file === undefined ? [] : [declaredTitles(file, tablesOf(file))];
  });
}

test('every test that the security document names is there', (t) => {
  t.true(named.length > 100, `${named.length} are named`);
  t.deepEqual(missingTests(named, titlesOfNamedFiles()), []);
});

test('every folder and file of tests that the security document names is there', (t) => {
  t.deepEqual(missingPlaces(markdown, projectPaths()), []);
});

/** How many requirements of levels 1 and 2 the sections of ASVS 5.0 have that concern us; they are numbered from 1. */
const sections = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2, '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2, '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2, '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
  ...{ '9.1': 3, '9.2': 4, '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3 },
  ...{ '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5, '14.1': 2, '14.2': 4, '14.3': 3 },
  ...{ '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3 },
};

test('every requirement of the sections that concern us stands in the security document once, with an answer', (t) => {
  const expected = Object.entries(sections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
  );
  const rows = [...markdown.matchAll(/^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \| [^|]+ \| [^|\s]/gm)];
  const inOrder = (numbers: string[]) =>
    numbers.toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }));
  t.deepEqual(inOrder(rows.flatMap(([, numbers = '']) => numbers.split(', '))), inOrder(expected));
});

const rows = `
| guard | file | test |
|---|---|---|
| a | \`x.ts\` | \`pkce\`: one title |
| 1.2.3 | b | \`tests/api/me/identity\`: another, with a comma; \`pages/csrf\`: third; with more — a remark |
Outside of tables \`pkce\`: nothing is named.
`;

test('tests are read from the cells of tables, several of them from one', (t) => {
  t.deepEqual(namedTests(rows), [
    { file: 'tests/oauth/pkce', title: 'one title', line: 4 },
    { file: 'tests/api/me/identity', title: 'another, with a comma', line: 5 },
    { file: 'tests/pages/csrf', title: 'third; with more', line: 5 },
  ]);
});

const file = {
  path: 'tests/x.test.ts',
  text: `
    const faults = { 'signed by nobody': 1, 'of \\'another\\' issuer': 2 };
    for (const [what, by] of list) test(\`a token is refused \${what}, \${{ by }.by}\`, async (t) => {});
    for (const title of titles) test(title, async (t) => {});
    test.serial(
      'it is called «a (b)»', async (t) => {});
    test.skip('nobody runs it', (t) => {});
    test.failing('it does not work', (t) => {});
    // test.only('x')`,
};
const declared = [declaredTitles(file, ["export const list = ['by query', 'in a table of its own']"])];
const isThere = (title: string) => missingTests([{ file: 'tests/x', title, line: 1 }], declared).length === 0;

test('a title is there as it is written, or as its template and its tables make it', (t) => {
  for (const title of [
    'it is called «a (b)»',
    'a token is refused signed by nobody, by query',
    "a token is refused of 'another' issuer, by query",
    'in a table of its own',
  ])
    t.true(isThere(title), title);
});

test('a title that nothing makes is not there, nor is one that is not run', (t) => {
  for (const title of [
    'it is called «a (c)»',
    'it is called',
    'a token is refused',
    'a token is refused , by query',
    'a token is refused signed by everybody, by query',
    'a token is accepted signed by nobody, by query',
    'a title of nowhere',
    'nobody runs it',
    'it does not work',
  ])
    t.false(isThere(title), title);
  t.deepEqual(missingTests([{ file: 'tests/y', title: 'x', line: 7 }], declared), ['7: tests/y: x']);
});

test('a folder, a file and the beginning of several are places; what is gone is none', (t) => {
  const paths = ['tests/api/me/identity.test.ts', 'tests/pages/sign-in.test.ts'];
  const text =
    '`tests/api`, `tests/api/me/identity`, `tests/pages/sign*`, `tests/gone`, `tests/pages/out*`, `tests/ap`';
  t.deepEqual(missingPlaces(text, paths), ['tests/gone', 'tests/pages/out*', 'tests/ap']);
});
