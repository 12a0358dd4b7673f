import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readLocalConfig } from '#local/local-config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { ConfigError } from '#shared/config/read-env.ts';
import { variablesRead } from '#tests/architecture/environment-table.ts';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { readComposeFile } from '#tests/deploy/compose/compose-file.ts';
import { baseImages } from '#tests/deploy/image/dockerfile.ts';
import { findInstance } from '../../deploy/admin/find-instance.ts';

const required = {
  BASE_URL: 'https://tasks.example.com',
  DATABASE_URL: 'postgres://database/service',
  REDIS_URL: 'redis://redis',
  KEY_ENCRYPTION_SECRET: 'x'.repeat(43),
  PORT: '8080',
  MANAGEMENT_PORT: '9090',
};
const readers = { 'auth-server': readAuthServerConfig, 'resource-api': readResourceApiConfig };

/** The rows `variable | service | default` of a document. */
function readRows(file: string): string[][] {
  const text = readFileSync(path.join(projectFolder, file), 'utf8');
  const rows = text.match(/^\| `[A-Z_]+` \|.*\|$/gm) ?? [];
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const guide = readRows('docs/operating.md');

test('the operator’s guide names exactly the further settings of npm start and commands', (t) => {
  const ofServices = variablesRead(Object.values(readers));
  const besides = variablesRead([readLocalConfig, findInstance]).filter((name) => !ofServices.includes(name));
  const others = guide.filter(([, of = '']) => !['both', ...Object.keys(readers)].includes(of));
  t.deepEqual(
    others.map(([name]) => name),
    besides,
  );
});

for (const [service, read] of Object.entries(readers)) {
  const own = guide.filter(([, of]) => of === 'both' || of === service);

  test(`the operator’s guide names every setting that ${service} reads, and no other`, (t) => {
    t.deepEqual(
      own.map(([name]) => name),
      variablesRead([read]),
    );
  });

  test(`the defaults in the operator’s guide are those of ${service}`, (t) => {
    const defaults = own.filter(([, , value = '']) => !/^(none|\*\*required\*\*)$/.test(value));
    t.true(defaults.length > 10);
    for (const [name = '', , value] of defaults)
      t.deepEqual(read({ ...required, [name]: value }), read(required), name);
  });

  test(`${service} misses every required setting at once, and no other`, (t) => {
    const { message } = t.throws(() => read({}), { instanceOf: ConfigError });
    const missed = [...message.matchAll(/^ {2}- (\w+) /gm)].map(([, name = '']) => name);
    t.deepEqual(
      missed.toSorted(),
      own.filter(([, , value]) => value === '**required**').map(([name]) => name),
    );
  });
}

const read = (name: string) => readFileSync(path.join(projectFolder, name), 'utf8');
const manifest = JSON.parse(read('package.json'));
const lock: { packages: Record<string, { integrity?: string }> } = JSON.parse(read('package-lock.json'));
const locked = Object.entries(lock.packages).filter(([folder]) => folder !== '');
const documentation = read('docs/dependencies.md');
const run = promisify(execFile);
const runScript = (...words: string[]) =>
  run(process.execPath, words, { cwd: projectFolder, maxBuffer: 64 * 1024 * 1024 });

const tables = {
  'At run time': manifest.dependencies,
  'At run time, where they fit the machine': manifest.optionalDependencies,
  'For developers': manifest.devDependencies,
  Overrides: manifest.overrides,
};

/** The rows of the tables below a heading: each name in back quotes of the first column, and the reason. */
function documentedReasons(heading: string): Map<string, string> {
  const [, section = ''] = documentation.split(new RegExp(`^## ${heading}$`, 'm'));
  const [own = ''] = section.split(/^## /m);
  const rows = [...own.matchAll(/^\| (`[^|]+`) \| (.*) \|$/gm)];
  return new Map(
    rows.flatMap(([, names = '', reason = '']) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, reason.trim()] as const),
    ),
  );
}

for (const [heading, packages] of Object.entries(tables)) {
  test(`«${heading}» gives a reason for each package that package.json names, and for no other`, (t) => {
    const reasons = documentedReasons(heading);
    t.deepEqual([...reasons.keys()].toSorted(), Object.keys(packages).toSorted());
    for (const [name, reason] of reasons) t.true(reason.length > 0, name);
  });
}

test('«Images» gives a reason for each image of the Dockerfile and of Compose, and for no other', (t) => {
  const services = Object.values(readComposeFile().services);
  const ownImages = services.flatMap(({ build, image }) => (build === undefined ? [] : [image]));
  const others = services.filter(({ image }) => !ownImages.includes(image));
  const nameOf = (image: string) => image.replace(/[:@].*$/, '').replace(/^docker\.io\/(library\/)?/, '');
  const names = new Set([...baseImages, ...others.map(({ image }) => image)].map(nameOf));
  t.deepEqual([...documentedReasons('Images').keys()].toSorted(), [...names].toSorted());
});

test('every version is exact, and every package of the lock file is known by its SHA-512', (t) => {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...optionalDependencies,
    ...devDependencies,
  }))
    t.regex(String(version), /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  const unknown = locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  t.deepEqual(unknown, []);
});

test('every package is under an accepted licence', async (t) => {
  const { stdout } = await runScript('deploy/supply-chain/check-licences.ts');
  t.true(stdout.startsWith(`${locked.length} packages`));
});

test('a package under another licence, or under none, fails the check by its name', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'licences-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'package-lock.json');
  const packages = {
    '': {},
    'node_modules/good': { version: '1.0.0', license: 'MIT' },
    'node_modules/good/node_modules/@a/copyleft': { version: '2.0.0', license: 'AGPL-3.0-only' },
    'node_modules/silent': { version: '3.0.0' },
    'node_modules/tool': { version: '4.0.0', license: 'MPL-2.0', dev: true },
    'node_modules/delivered': { version: '5.0.0', license: 'MPL-2.0' },
  };
  writeFileSync(file, JSON.stringify({ packages }));
  const failure: unknown = await t.throwsAsync(runScript('deploy/supply-chain/check-licences.ts', file));
  const { code, stderr } = failure as { code: number; stderr: string };
  t.is(code, 1);
  t.deepEqual(stderr.trim().split('\n'), [
    'node_modules/good/node_modules/@a/copyleft 2.0.0: AGPL-3.0-only',
    'node_modules/silent 3.0.0: no licence',
    'node_modules/delivered 5.0.0: MPL-2.0',
  ]);
});
