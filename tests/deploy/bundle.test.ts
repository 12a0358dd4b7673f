import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { bundlePrograms } from '../../deploy/build/bundle-programs.ts';
import { keepClassNames } from '../../deploy/build/class-names.ts';

type Files = Readonly<Record<string, string>>;

function writeProject(t: ExecutionContext, files: Files): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bundle-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

/** What the program prints as it is, and as a bundle of which nothing but the bundle is left. */
async function runBoth(t: ExecutionContext, files: Files, entryPoints: Files): Promise<[string, string]> {
  const projectFolder = writeProject(t, files);
  const run = (file: string) =>
    execFileSync(process.execPath, [path.join(projectFolder, file)], { encoding: 'utf8' });
  const asItIs = run(entryPoints.main ?? '');
  await bundlePrograms({ projectFolder, outputFolder: path.join(projectFolder, 'dist'), entryPoints });
  for (const name of Object.keys(files)) if (name.endsWith('.ts')) rmSync(path.join(projectFolder, name));
  return [asItIs, run('dist/main.js')];
}

test('classes have the names they had, also those that share one, mention themselves or are made later', async (t) => {
  const [asItIs, bundled] = await runBoth(
    t,
    {
      'base.ts':
        'export const base = (options: object) => class Base { options = options; };\nexport class Task {}\n',
      'task.ts': "import { base } from './base.ts';\nexport class Task extends base({ a: { b: 1 } }) {}\n",
      'self.ts':
        'export class Self { static readonly one = new Self(); static make(): Self { return new Self(); } }\n',
      'later.ts':
        'export const later = (Parent: new () => object) => [\n  class Task extends Parent { static count = 1; },\n  class Self extends Parent {},\n];\n',
      'failure.ts':
        'export class Failure extends Error {\n  constructor() { super(); this.name = this.constructor.name; }\n  static of(): Failure { return new Failure(); }\n}\n',
      'main.ts': [
        "import * as base from './base.ts';",
        "import { Failure } from './failure.ts';",
        "import { later } from './later.ts';",
        "import { Self } from './self.ts';",
        "import * as task from './task.ts';",
        'const made = later(base.Task);',
        'console.log([base.Task, task.Task, Self, Self.make().constructor, ...made].map(({ name }) => name).join());',
        'console.log(Self.one.constructor.name, Failure.of().name, new (base.base({}))().constructor.name);',
      ].join('\n'),
    },
    { main: 'main.ts' },
  );
  t.is(asItIs, 'Task,Task,Self,Self,Task,Self\nSelf Failure Base\n');
  t.is(bundled, asItIs);
});

test('a file beside a module and a thread of its own are found from the bundle', async (t) => {
  const [asItIs, bundled] = await runBoth(
    t,
    {
      'words/words.txt': 'a word',
      'words/words.ts':
        "import { readFileSync } from 'node:fs';\nexport const word = readFileSync(new URL('words.txt', import.meta.url), 'utf8');\n",
      'threads/thread.ts':
        "import { word } from '../words/words.ts';\nconsole.log(`${word} from a thread`);\n",
      'threads/start.ts':
        "import { Worker } from 'node:worker_threads';\nexport const start = () => new Worker(new URL('./thread.ts', import.meta.url));\n",
      'main.ts':
        "import { start } from './threads/start.ts';\nimport { word } from './words/words.ts';\nconsole.log(word);\nstart();\n",
    },
    { main: 'main.ts', thread: 'threads/thread.ts' },
  );
  t.is(asItIs, 'a word\na word from a thread\n');
  t.is(bundled, asItIs);
});

test('a thread that is no program of the bundle is refused', async (t) => {
  const projectFolder = writeProject(t, {
    'main.ts': "console.log(new URL('./thread.ts', import.meta.url));\n",
    'thread.ts': 'export {};\n',
  });
  const outputFolder = path.join(projectFolder, 'dist');
  await t.throwsAsync(bundlePrograms({ projectFolder, outputFolder, entryPoints: { main: 'main.ts' } }), {
    message: /\.\/thread\.ts is no entry point of the bundle/,
  });
});

test('a class whose former name is not known is refused', (t) => {
  t.is(keepClassNames('class Task {\n}', new Set(['Task'])), 'class Task {\n}');
  t.throws(() => keepClassNames('class Task2 {\n}', new Set(['Other'])), { message: /the class Task2 / });
});
