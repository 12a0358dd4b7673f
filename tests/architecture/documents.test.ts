import test from 'ava';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readLocalConfig } from '#local/local-config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { findInstance } from '../../deploy/admin/find-instance.ts';
import { variablesRead } from './environment-table.ts';
import { projectPaths, readProjectFiles } from './source-files.ts';

const readDocument = (path: RegExp): string => readProjectFiles(path)[0]?.text ?? '';

test('the operator’s guide names the variables that the programs read, each once and no other', (t) => {
  const tables = readDocument(/^docs\/operating\.md$/)
    .split(/\n(?!\|)/)
    .filter((block) => /^\n?\|\s*variable\s*\| service/i.test(block));
  const firstCells = tables
    .flatMap((table) => table.trim().split('\n').slice(2))
    .map((row) => row.split('|')[1]);
  const documented = firstCells.flatMap((cell = '') => cell.match(/[A-Z][A-Z0-9_]*/g) ?? []);
  const read = variablesRead([readResourceApiConfig, readAuthServerConfig, readLocalConfig, findInstance]);
  t.deepEqual(documented.toSorted(), read);
});

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
