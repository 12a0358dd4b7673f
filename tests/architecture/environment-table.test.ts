import test from 'ava';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readLocalConfig } from '#local/local-config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { findInstance } from '../../deploy/admin/find-instance.ts';
import { variablesDocumented, variablesRead } from './environment-table.ts';
import { readProjectFiles } from './source-files.ts';

const readers = [readResourceApiConfig, readAuthServerConfig, readLocalConfig, findInstance];

test('the README’s table names the variables that the programs read, each once and no other', (t) => {
  const [readme] = readProjectFiles(/^README\.md$/);
  t.deepEqual(variablesDocumented(readme?.text ?? ''), variablesRead(readers));
});

test('every variable a reader asks for is noticed, also by one that gives up', (t) => {
  const readers = [
    ({ B, npm_command }: Readonly<Record<string, string | undefined>>) => [B, npm_command],
    (env: Readonly<Record<string, string | undefined>>) => {
      throw new Error(`${env.A} must be set`);
    },
  ];
  t.deepEqual(variablesRead(readers), ['A', 'B']);
});

test('variables are read from the first column of their tables alone', (t) => {
  const table = '| variable | default |\n|---|---|\n| `PORT`, `HOST` | `OTHER` |\n| `PORT` | none |';
  const markdown = `# Title\n\nSee \`ELSEWHERE\`.\n\n${table}\n\n| name |\n|---|\n| \`NO_VARIABLE\` |\n`;
  t.deepEqual(variablesDocumented(markdown), ['HOST', 'PORT', 'PORT']);
});
