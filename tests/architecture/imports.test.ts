import test from 'ava';
import { brokenRules, importRules } from './import-rules.ts';
import { type Import, importsOf } from './read-imports.ts';
import { programFiles, readProjectFiles, testFiles } from './source-files.ts';

const files = [programFiles, testFiles].flatMap(readProjectFiles);
const imports = files.flatMap(importsOf);

test('every import keeps to the boundaries of modules', (t) => {
  t.deepEqual(brokenRules(imports), []);
});

test('no imports form a cycle, types included', (t) => {
  t.deepEqual(importCycles(imports), []);
});

test('every rule applies to some file', (t) => {
  const idle = importRules.filter(({ from }) => !files.some(({ path }) => from.test(path)));
  t.deepEqual(idle, []);
});

const api = 'services/resource-api/src';
const forbidden = [
  ['shared/logging/logger.ts', `${api}/session.ts`],
  ['deploy/admin/admin.ts', 'services/auth-server/src/accounts/account-service.ts'],
  [`${api}/app.ts`, 'services/auth-server/src/app.ts'],
  [`${api}/main.ts`, `${api}/session.ts`],
  [`${api}/areas/area-routes.ts`, 'express'],
  [`${api}/tasks/task-service.ts`, `${api}/projects/project-service.ts`],
  [`${api}/tasks/task-placement.ts`, '@mikro-orm/core'],
  [`${api}/tasks/recurrence.ts`, 'node:fs'],
  [`${api}/http/mount-routes.ts`, `${api}/tasks/task-routes.ts`],
  ['services/web-app/src/main.tsx', 'shared/logging/logger.ts'],
  [`${api}/sync/changes.ts`, `${api}/accounts/account-repository.ts`],
];

test('an import against a rule is found, with the rule', (t) => {
  for (const [from = '', to = ''] of forbidden) {
    const faults = brokenRules([{ from, to, isTypeOnly: false }]);
    t.is(faults.length, 1, `${from} imports ${to}`);
  }
});

test('imports are found in every form', (t) => {
  const text = [
    "import 'side-effect';",
    "import type { A } from '#shared/scopes.ts';",
    "import def, {\n  type B,\n} from '@scope/name/deep.js';",
    "export * from './other.ts';",
    "const later = await import('../later.ts');",
  ].join('\n');
  const found = importsOf({ path: 'deploy/local/example.ts', text });
  t.deepEqual(
    found.map(({ to, isTypeOnly }) => [to, isTypeOnly]),
    [
      ['shared/scopes.ts', true],
      ['@scope/name/deep.js', false],
      ['deploy/local/other.ts', false],
      ['side-effect', false],
      ['deploy/later.ts', false],
    ],
  );
});

test('a cycle is found, wherever it is entered', (t) => {
  const edges = ['a→b', 'b→c', 'c→b', 'c→d', 'x→a'].map((edge) => edge.split('→'));
  const made = edges.map(([from = '', to = '']) => ({ from, to, isTypeOnly: true }));
  t.deepEqual(importCycles(made), [['b', 'c', 'b']]);
});

/** Each cycle once, as the files on it. */
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
