import test from 'ava';
import { authMigrations } from '#auth-server/database/migrations.ts';
import { taskMigrations } from '#resource-api/database/migrations.ts';
import type { MigrationList } from '#shared/database/migrate.ts';

/** Migrations that drop what the release before them had stopped using. */
const contractions: readonly string[] = [];

type Rule = { breaks: string; statement: RegExp; unless?: RegExp };

/** What would stop or mislead the release before, which serves meanwhile and after a roll-back. */
const rules: readonly Rule[] = [
  {
    breaks: 'takes something away',
    // What a function or a trigger does is done later.
    statement: /^(?!create (function|trigger)\b).*\b(drop|rename|truncate|revoke)\b/,
    // What earlier code writes fulfils the check, and goes on to be accepted without it.
    unless: /^alter table \S+ drop constraint \w+_check$/,
  },
  { breaks: 'changes a column', statement: /\balter column\b/ },
  {
    breaks: 'adds a column that earlier code leaves empty',
    statement: /\badd column\b[^,;]*\bnot null\b/,
    unless: /\b(default|generated)\b/,
  },
  { breaks: 'refuses rows that were allowed', statement: /\badd (constraint|check|unique|foreign)\b/ },
  { breaks: 'refuses rows that were allowed', statement: /^create unique index/ },
  // `if not exists` marks an index that is built before the upgrade, without a lock.
  { breaks: 'stops writes', statement: /^create index/, unless: /if not exists/ },
  { breaks: 'changes rows', statement: /^(update|delete)\b/ },
  {
    breaks: 'acts on what earlier code writes',
    statement: /^create (or replace )?(trigger|rule)\b/,
    // A setting of the transaction that only later code makes; or it only takes down, or counts, what was
    // done, or keeps reminders.
    unless: new RegExp(
      [
        String.raw`\bwhen \(nullif\(current_setting\('tasks\.writing', true\), ''\) is not null\)`,
        String.raw`execute function auth\.(note_principal_change|move_digest)\(`,
        String.raw`execute function tasks\.(count_\w+|keep_reminder|move_reminders)\(`,
      ].join('|'),
    ),
  },
];

/** `migration: statement: why`. The first migration makes the schema: nothing works in it yet. */
function breakingStatements(migrations: MigrationList): string[] {
  return migrations.slice(1).flatMap(({ name, class: Class }) => {
    const statements = statementsOf(Class);
    const ownFunctions = statements.flatMap((text) => /^create function ([^(]+)/.exec(text)?.[1] ?? []);
    const ownTables = statements.flatMap((text) => /^create table (\S+)/.exec(text)?.[1] ?? []);
    const isOnOwn = (text: string) =>
      ownFunctions.some((own) => text.startsWith(`revoke all on function ${own}(`)) ||
      ownTables.some((own) => /^create (unique )?index/.test(text) && text.includes(` on ${own} `));
    return statements
      .filter((text) => !isOnOwn(text))
      .flatMap((text) =>
        rules
          .filter(({ statement, unless }) => statement.test(text) && !unless?.test(text))
          .map(({ breaks }) => `${name}: ${text}: ${breaks}`),
      );
  });
}

/** In lower case, with single blanks. */
function statementsOf(Class: MigrationList[number]['class']): string[] {
  const statements: string[] = [];
  const recorder: InstanceType<typeof Class> = Object.create(Class.prototype);
  recorder.addSql = (sql) => void statements.push(String(sql).toLowerCase().replaceAll(/\s+/g, ' ').trim());
  void recorder.up();
  return statements;
}

test('after the first, migrations only add, so the release before works on a later schema', (t) => {
  const breaking = [...breakingStatements(authMigrations), ...breakingStatements(taskMigrations)];
  t.deepEqual(
    breaking.filter((place) => !contractions.some((name) => place.startsWith(`${name}: `))),
    [],
  );
});
