import test from 'ava';
import { importCircles } from './import-circles.ts';
import { brokenRules, importRules } from './import-rules.ts';
import { importsOf } from './read-imports.ts';
import { programFiles, projectPaths, readProjectFiles } from './source-files.ts';

const files = readProjectFiles(programFiles);
const imports = files.flatMap(importsOf);

test('every import of the program keeps to the rooms', (t) => {
  t.deepEqual(brokenRules(imports), []);
});

test('no imports go in circles', (t) => {
  t.deepEqual(importCircles(imports), []);
});

test('every import of a project file names a file that exists', (t) => {
  const paths = new Set(projectPaths());
  const missing = imports.filter(({ to }) => !to.includes(':') && !paths.has(to));
  t.deepEqual(missing, []);
});

test('every rule binds some file', (t) => {
  const idle = importRules.filter(({ from }) => !files.some(({ path }) => from.test(path)));
  t.deepEqual(idle, []);
});

const service = 'services/resource-api/src';
const forbidden: Record<string, string> = {
  'shared/logging/logger.ts': '#resource-api/session.ts',
  'shared/http/cors.ts': '../../services/auth-server/src/app.ts',
  'deploy/local/start.ts': '#resource-api/app.ts',
  'deploy/admin/admin.ts': '#auth-server/accounts/account-service.ts',
  [`${service}/app.ts`]: '#auth-server/app.ts',
  [`${service}/main.ts`]: './session.ts',
  [`${service}/tasks/task-routes.ts`]: './task-repository.ts',
  [`${service}/areas/area-routes.ts`]: 'express',
  [`${service}/tasks/task-service.ts`]: '../projects/project-service.ts',
  [`${service}/projects/project-transitions.ts`]: './project-routes.ts',
  [`${service}/tasks/task-repository.ts`]: './task-service.ts',
  [`${service}/tasks/task-entity.ts`]: '../session.ts',
  [`${service}/tasks/present-task.ts`]: '@mikro-orm/core',
  [`${service}/tasks/recurrence.ts`]: 'node:fs',
  [`${service}/tasks/task-views.ts`]: './task-repository.ts',
  [`${service}/http/mount-routes.ts`]: '../tasks/task-routes.ts',
  [`${service}/sync/change-recorder.ts`]: '../accounts/account-repository.ts',
  [`${service}/auth/authenticate.ts`]: '../accounts/account-routes.ts',
  'services/auth-server/src/settings/settings-routes.ts': '../accounts/account-entity.ts',
};

for (const [path, specifier] of Object.entries(forbidden)) {
  test(`${path} must not import ${specifier}`, (t) => {
    const text = `import { a } from './app-error.ts';\nimport {\n  b,\n  type C,\n} from '${specifier}';\n`;
    const faults = brokenRules(importsOf({ path, text }).slice(1));
    t.is(faults.length, 1, faults.join('\n'));
    t.regex(faults.join(), new RegExp(`^${path}:2 imports .*: .*`));
  });
}

test('what rooms allow is allowed', (t) => {
  const allowed = [
    [`${service}/areas/area-service.ts`, '../projects/project-service.ts'],
    [`${service}/projects/project-service.ts`, '../areas/area-repository.ts'],
    [`${service}/auth/authenticate.ts`, '../accounts/account-repository.ts'],
    ['deploy/admin/token-commands.ts', '#auth-server/admin/token-admin.ts'],
    ['deploy/local/gateway-answer.ts', '#shared/errors/error-catalogue.ts'],
  ];
  const made = allowed.flatMap(([path = '', to]) =>
    importsOf({ path, text: `import { a } from '${to}';\n` }),
  );
  t.deepEqual(brokenRules(made), []);
});

test('imports are found in every form, with the line and what becomes of them', (t) => {
  const text = [
    "import 'side-effect';",
    "import type { A } from '#shared/scopes.ts';",
    "import def, { type B } from '@scope/name/deep.js';",
    "export * from './other.ts';",
    "const later = await import('../later.ts');",
  ].join('\n');
  const found = importsOf({ path: 'deploy/local/example.ts', text });
  const summary = found.map(({ place, to, isTypeOnly, isDynamic }) => [place, to, isTypeOnly, isDynamic]);
  t.deepEqual(summary, [
    ['deploy/local/example.ts:2', 'shared/scopes.ts', true, false],
    ['deploy/local/example.ts:3', 'npm:@scope/name', false, false],
    ['deploy/local/example.ts:4', 'deploy/local/other.ts', false, false],
    ['deploy/local/example.ts:1', 'npm:side-effect', false, false],
    ['deploy/local/example.ts:5', 'deploy/later.ts', false, true],
  ]);
});

test('a circle is found, and one of types or of later imports is none', (t) => {
  const circleOf = (closing: string) => [
    ...importsOf({ path: 'a.ts', text: "import { b } from './b.ts';\n" }),
    ...importsOf({ path: 'b.ts', text: "import { c } from './c.ts';\n" }),
    ...importsOf({ path: 'c.ts', text: closing }),
  ];
  t.deepEqual(importCircles(circleOf("import { a } from './a.ts';\n")), ['a.ts → b.ts → c.ts → a.ts']);
  t.deepEqual(importCircles(circleOf("import type { A } from './a.ts';\n")), []);
  t.deepEqual(importCircles(circleOf("const a = await import('./a.ts');\n")), []);
});
