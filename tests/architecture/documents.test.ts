import test from 'ava';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readLocalConfig } from '#local/local-config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { findInstance } from '../../deploy/admin/find-instance.ts';
import { variablesRead } from './environment-table.ts';
import { projectPaths, readProjectFiles } from './source-files.ts';

const readDocument = (path: RegExp): string => readProjectFiles(path)[0]?.text ?? '';

test('the README’s tables name the variables that the programs read, each once and no other', (t) => {
  const tables = readDocument(/^README\.md$/)
    .split(/\n(?!\|)/)
    .filter((block) => /^\n?\|\s*variable\s*\|/i.test(block));
  const firstCells = tables
    .flatMap((table) => table.trim().split('\n').slice(2))
    .map((row) => row.split('|')[1]);
  const documented = firstCells.flatMap((cell = '') => cell.match(/[A-Z][A-Z0-9_]*/g) ?? []);
  const read = variablesRead([readResourceApiConfig, readAuthServerConfig, readLocalConfig, findInstance]);
  t.deepEqual(documented.toSorted(), read);
});

test('every test file and folder that the security document names exists', (t) => {
  const document = readDocument(/^docs\/security\.md$/);
  const paths = projectPaths();
  const places = [...document.matchAll(/`(tests\/[\w/-]+)(\*?)`/g)].map(([, place = '', rest]) =>
    rest === '*' ? place : new RegExp(`^${place}((\\.exhaustive)?\\.test\\.ts$|/)`),
  );
  // `file`: title, in a table; without a folder it is one of tests/oauth.
  const rows = document.split('\n').filter((row) => row.startsWith('|'));
  const files = rows
    .flatMap((row) => [...row.matchAll(/`((?:tests\/)?[a-z][\w/-]*)`: /g)])
    .map(([, name = '']) =>
      name.includes('/') ? name.replace(/^(tests\/)?/, 'tests/') : `tests/oauth/${name}`,
    )
    .map((name) => new RegExp(`^${name}(\\.exhaustive)?\\.test\\.ts$`));
  t.true(files.length > 50);
  const missing = [...places, ...files].filter((place) =>
    paths.every((path) => !(typeof place === 'string' ? path.startsWith(place) : place.test(path))),
  );
  t.deepEqual([...new Set(missing)], []);
});
