import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readLocalConfig } from '#local/local-config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { ConfigError } from '#shared/config/read-env.ts';
import { variablesRead } from '#tests/architecture/environment-table.ts';
import { projectFolder } from '#tests/architecture/source-files.ts';
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

test('the operator’s guide names every setting that npm start and commands read besides, and no other', (t) => {
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
