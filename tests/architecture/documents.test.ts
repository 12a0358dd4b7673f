import test from 'ava';
import { projectPaths, readProjectFiles } from './source-files.ts';

const readDocument = (path: RegExp): string => readProjectFiles(path)[0]?.text ?? '';

test('every file that the map names exists', (t) => {
  const named = readDocument(/^CODEBASE\.md$/).match(/(?<=`)[\w./-]+\.(ts|tsx|md)(?=`)/g) ?? [];
  const paths = projectPaths().map((path) => `/${path}`);
  t.true(named.length > 30);
  t.deepEqual(
    named.filter((name) => !paths.some((path) => path.endsWith(`/${name}`))),
    [],
  );
});

test('every test file and folder that the security document names exists', (t) => {
  const document = readDocument(/^docs\/security\.md$/);
  const paths = projectPaths();
  const places = [...document.matchAll(/`(tests\/[\w/-]+)(\*?)`/g)].map(([, place = '', rest]) =>
    rest === '*' ? place : new RegExp(`^${place}((\\.exhaustive)?\\.test\\.ts$|/)`),
  );
  t.true(places.length > 10);
  const missing = places.filter((place) =>
    paths.every((path) => !(typeof place === 'string' ? path.startsWith(place) : place.test(path))),
  );
  t.deepEqual([...new Set(missing)], []);
});
