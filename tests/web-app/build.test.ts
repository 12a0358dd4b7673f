import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { placesOf, readProjectFiles } from '#tests/architecture/source-files.ts';
import { buildApp } from '../../services/web-app/build-app.ts';

function temporaryDirectory(t: ExecutionContext): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'web-app-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  return directory;
}

const kilobytes = (file: string): number => statSync(`${file}.gz`).size / 1_000;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

test('a first visit loads 60 kB of script and 9 kB of style, later parts are 40 and 5 kB', async (t) => {
  const directory = temporaryDirectory(t);
  await buildApp(directory);
  const page = readFileSync(path.join(directory, 'index.html'), 'utf8');
  const loaded = [...page.matchAll(/"\/app\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name = '']) => name);
  const sizes = (extension: string): number[] =>
    loaded.filter((name) => name.endsWith(extension)).map((name) => kilobytes(path.join(directory, name)));
  t.true(sum(sizes('.js')) <= 60, `${sum(sizes('.js'))} kB of script`);
  const [style = 0, laterStyle = 0, ...others] = sizes('.css');
  t.deepEqual(others, []);
  t.true(style <= 9, `${style} kB of style`);
  t.true(laterStyle <= 5, `${laterStyle} kB of style for what is loaded later`);
  const later = readdirSync(path.join(directory, 'assets'))
    .filter((name) => name.endsWith('.js') && !loaded.includes(`assets/${name}`))
    .map((name) => [name, kilobytes(path.join(directory, 'assets', name))] as const);
  t.deepEqual(
    later.filter(([, size]) => size > 40),
    [],
  );
});

test('the licences of the bundled libraries are served with them', async (t) => {
  const directory = temporaryDirectory(t);
  await buildApp(directory);
  const [name = ''] = readdirSync(path.join(directory, 'assets')).filter((file) =>
    /^licences-.*txt$/.test(file),
  );
  const notices = readFileSync(path.join(directory, 'assets', name), 'utf8');
  for (const library of ['preact', '@preact/signals', '@preact/signals-core'])
    t.regex(notices, new RegExp(`^${library} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
  t.true(notices.includes('Permission is hereby granted, free of charge'));
});

test('the same sources are built once; what the build before named stays, and nothing older', async (t) => {
  const directory = temporaryDirectory(t);
  t.true((await buildApp(directory)).isNew);
  t.false((await buildApp(directory)).isNew);
  const recordFile = path.join(directory, 'build.json');
  const named = ['assets/main-BEFORE.js'];
  writeFileSync(recordFile, JSON.stringify({ sources: 'other ones', assets: named }));
  for (const name of [...named, 'assets/main-OLDER.js']) writeFileSync(path.join(directory, name), '');
  const page = readFileSync(path.join(directory, 'index.html'), 'utf8');
  t.true((await buildApp(directory)).isNew);
  const kept = readdirSync(path.join(directory, 'assets'));
  t.true(kept.includes('main-BEFORE.js'));
  t.false(kept.includes('main-OLDER.js'));
  t.is(readFileSync(path.join(directory, 'index.html'), 'utf8'), page);
});

test('markup is written in one place alone', (t) => {
  const sources = readProjectFiles(/^services\/web-app\/src\/(?!notes\/).*\.tsx?$/);
  const writers = [
    /\b(inner|outer)HTML\b|insertAdjacentHTML|\bsrcdoc\b|document\.write/gi,
    /createPolicy\((?!'worker'|\s*name: string)/gi,
  ];
  t.deepEqual(
    sources.flatMap((file) => writers.flatMap((writer) => placesOf(file, writer))),
    [],
  );
});
