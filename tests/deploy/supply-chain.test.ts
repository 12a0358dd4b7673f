import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { isAllowed, licenceFaults } from '../../deploy/supply-chain/licence-policy.ts';
import { packageName, readLockFile } from '../../deploy/supply-chain/lock-file.ts';
import type { SoftwareBill } from '../../deploy/supply-chain/production-sbom.ts';
import { projectFolder } from '../architecture/source-files.ts';
import { readComposeFile } from './compose/compose-file.ts';
import { parseDockerfile } from './image/dockerfile.ts';
import { documentedReasons } from './supply-chain/documented-reasons.ts';

const read = (name: string) => readFileSync(path.join(projectFolder, name), 'utf8');
const manifest = JSON.parse(read('package.json'));
const locked = readLockFile(path.join(projectFolder, 'package-lock.json'));
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

for (const [heading, packages] of Object.entries(tables)) {
  test(`«${heading}» gives a reason for each package that package.json names, and for no other`, (t) => {
    const reasons = documentedReasons(documentation, heading);
    t.deepEqual([...reasons.keys()].toSorted(), Object.keys(packages).toSorted());
    for (const [name, reason] of reasons) t.true(reason.length > 0, name);
  });
}

test('«Images» gives a reason for each image of the Dockerfile and of Compose, and for no other', (t) => {
  const bases = parseDockerfile(read('deploy/Dockerfile')).stages.map(({ base }) => base);
  const services = Object.values(readComposeFile().services).filter(({ build }) => build === undefined);
  const nameOf = (image: string) => image.replace(/[:@].*$/, '').replace(/^docker\.io\/(library\/)?/, '');
  const names = new Set([...bases, ...services.map(({ image }) => image)].map(nameOf));
  t.deepEqual([...documentedReasons(documentation, 'Images').keys()].toSorted(), [...names].toSorted());
});

test('every version is exact, and every package of the lock file is known by its SHA-512', (t) => {
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...optionalDependencies,
    ...devDependencies,
  }))
    t.regex(String(version), /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  const unknown = [...locked].filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  t.deepEqual(unknown, []);
});

test('every package is under a licence that is agreed to', async (t) => {
  t.deepEqual(licenceFaults(locked), []);
  const { stdout } = await runScript('deploy/supply-chain/check-licences.ts');
  t.true(stdout.startsWith(`${locked.size} packages`));
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
    '@a/copyleft 2.0.0: AGPL-3.0-only',
    'silent 3.0.0: no licence',
    'delivered 5.0.0: MPL-2.0',
  ]);
});

test('an expression of licences is met by one side of OR, and by both of AND', (t) => {
  const allowed = ['MIT', 'ISC'];
  const met = [
    'MIT',
    '(MIT OR GPL-3.0-only)',
    'GPL-3.0-only OR ISC',
    'MIT AND ISC',
    'X OR MIT AND ISC',
    '(X AND Y) OR (MIT)',
  ];
  const unmet = [
    '',
    'X',
    'MIT AND X',
    '(MIT OR ISC) AND X',
    'MIT WITH X',
    'MIT ISC',
    '(MIT',
    'X AND MIT OR Y',
    'SEE LICENSE IN LICENSE',
  ];
  t.deepEqual(
    met.filter((expression) => !isAllowed(expression, allowed)),
    [],
  );
  t.deepEqual(
    unmet.filter((expression) => isAllowed(expression, allowed)),
    [],
  );
});

test('the bill of materials names all that is delivered, with its hash and licence, and nothing else', async (t) => {
  const { stdout } = await runScript('deploy/supply-chain/write-sbom.ts');
  const bill: SoftwareBill & { bomFormat: string } = JSON.parse(stdout);
  t.is(bill.bomFormat, 'CycloneDX');
  t.is(bill.metadata.component.name, manifest.name);
  const delivered = [...locked]
    .filter(([, { dev }]) => !dev)
    .map(([folder, { version }]) => `${packageName(folder)}@${version}`);
  const named = bill.components.map(({ name, version }) => `${name}@${version}`);
  t.deepEqual(named.toSorted(), [...new Set(delivered)].toSorted());
  t.true(named.includes(`express@${manifest.dependencies.express}`));
  t.true(bill.components.every(({ hashes = [] }) => hashes.length > 0));
  t.true(bill.components.every((component) => 'licenses' in component));
  const known = new Set(bill.components.map((component) => component['bom-ref']));
  t.deepEqual(
    bill.dependencies.flatMap(({ dependsOn }) => dependsOn.filter((name) => !known.has(name))),
    [],
  );
});
