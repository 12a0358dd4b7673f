import test from 'ava';
import { foreignPaths, registryAddresses } from './own-words.ts';
import { readProjectFiles } from './source-files.ts';

test('no file names a path of the machine it was written on', (t) => {
  t.deepEqual(foreignPaths(readProjectFiles(/(?<!\.(png|ico|woff2?|jpe?g|webp))$/)), []);
});

test('no lock file names a registry', (t) => {
  const lockFiles = readProjectFiles(/(^|\/)package-lock\.json$/);
  t.true(lockFiles.some(({ path }) => path === 'package-lock.json'));
  t.deepEqual(lockFiles.flatMap(registryAddresses), []);
});

test('paths of a machine are found, and paths of the project are not', (t) => {
  const made = [
    ['', 'work', 'main.ts'],
    ['', 'farm', 'main.ts'],
    ['..', 'shared', 'main.ts'],
  ].map((parts) => `see ${parts.join('/')}`);
  const kept = ['shared/work/a.ts', 'https://example.com/work/1', './shared/a.ts', 'work/farm'];
  const text = [...kept, ...made].join('\n');
  t.is(foreignPaths([{ path: 'a.md', text }]).length, made.length);
});

test('an address in a lock file is found', (t) => {
  const text = '{\n "resolved": "https://registry.example.com/a.tgz",\n "version": "1.0.0"\n}';
  const [place] = registryAddresses({ path: 'package-lock.json', text });
  t.is(place, 'package-lock.json:2 "resolved": "https://registry.example.com/a.tgz"');
});
