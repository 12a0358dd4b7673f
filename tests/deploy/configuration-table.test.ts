import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { ConfigError } from '#shared/config/config-error.ts';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { readPart, replacePart } from '#tests/support/document-part.ts';
import { configReaders, leastEnvironment, readSettings } from './configuration/settings.ts';
import { defaultsDocumented, tableOf } from './configuration/settings-table.ts';

const guide = path.join(projectFolder, 'docs/operating.md');
const settings = readSettings();

test('the guide’s table of settings is what the services read: UPDATE_GOLDEN=1 writes it anew', (t) => {
  const table = tableOf(settings);
  const text = readFileSync(guide, 'utf8');
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(guide, replacePart(text, 'settings', table));
  t.is(readPart(readFileSync(guide, 'utf8'), 'settings'), table);
});

test('a setting written out as its default changes nothing', (t) => {
  for (const [service, read] of Object.entries(configReaders)) {
    const own = settings.filter(({ services }) => services.includes(service));
    const defaults = own.flatMap(({ name, defaultValue }) =>
      defaultValue === undefined ? [] : [[name, defaultValue]],
    );
    t.true(defaults.length > 10);
    t.deepEqual(read({ ...leastEnvironment, ...Object.fromEntries(defaults) }), read(leastEnvironment));
  }
});

test('every variable that is required is missed, and no other', (t) => {
  for (const [service, read] of Object.entries(configReaders)) {
    const required = settings.filter(({ isRequired, services }) => isRequired && services.includes(service));
    const { message } = t.throws(() => read({}), { instanceOf: ConfigError });
    const missed = [...message.matchAll(/^ {2}- (\w+) /gm)].map(([, name = '']) => name);
    t.deepEqual(
      missed.toSorted(),
      required.map(({ name }) => name),
    );
  }
});

test('the README gives the same defaults', (t) => {
  const documented = defaultsDocumented(readFileSync(path.join(projectFolder, 'README.md'), 'utf8'));
  const differing = settings.filter(
    ({ name, defaultValue }) =>
      defaultValue !== undefined && documented.has(name) && documented.get(name) !== defaultValue,
  );
  t.deepEqual(differing, []);
  t.deepEqual(
    settings.filter(({ name, defaultValue }) => defaultValue !== undefined && !documented.has(name)),
    [],
  );
});

test('units are part of the names of settings that count something', (t) => {
  const counted = settings.filter(({ accepts }) => accepts.startsWith('a whole number'));
  const unit =
    /_(SECONDS|MILLISECONDS|DAYS|PORT|SIZE|WORKERS|REQUESTS|HOPS|PER_(HOUR|MINUTE)|PER_A\w+)$|^PORT$/;
  t.deepEqual(
    counted.filter(({ name }) => !unit.test(name)),
    [],
  );
});
