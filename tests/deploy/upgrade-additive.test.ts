import { Migration } from '@mikro-orm/migrations';
import test from 'ava';
import { authMigrations } from '#auth-server/database/migrations.ts';
import { taskMigrations } from '#resource-api/database/migrations.ts';
import type { MigrationList } from '#shared/database/migrate.ts';

/** Migrations that drop what the release before them had stopped using. */
const contractions: readonly string[] = [];

type Rule = { breaks: string; statement: RegExp; unless?: RegExp };

/** What would stop or mislead the release before, which serves while they are applied and after a roll-back. */
const rules: readonly Rule[] = [
  { breaks: 'takes something away', statement: /\b(drop|rename|truncate|revoke)\b/ },
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
    // A setting of the transaction that only later code makes.
    unless: /\bwhen \(nullif\(current_setting\('tasks\.writing', true\), ''\) is not null\)/,
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

function listOf(...statements: string[]): MigrationList {
  class First extends Migration {
    override up(): void {
      this.addSql('drop table whatever');
    }
  }
  class Second extends Migration {
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  }
  return [First, Second].map((migration) => ({ name: migration.name, class: migration }));
}

test('a statement that breaks the release before is found', (t) => {
  for (const statement of [
    'drop view tasks.token_last_use',
    'alter table tasks.task rename column title to name',
    'alter table tasks.task alter column title type varchar(200)',
    'alter table tasks.task add column color text not null',
    'alter table tasks.task add constraint short check (length(title) < 100)',
    'update tasks.task set title = upper(title)',
    'revoke select on tasks.task from resource_api',
    'create index task_by_title on tasks.task (account_id, title)',
    'create unique index if not exists task_once on tasks.task (account_id, title)',
    'create trigger stamp before update on tasks.task execute function stamp()',
  ])
    t.is(breakingStatements(listOf(statement)).length, 1, statement);
});

test('a statement that adds is allowed', (t) => {
  const additions = [
    'create table tasks.tag (account_id uuid not null, id uuid, primary key (account_id, id))',
    'create index tag_by_id on tasks.tag (id)',
    'alter table tasks.task add column color text',
    'alter table tasks.task add column weight integer not null default 1',
    'create index if not exists task_by_title on tasks.task (account_id, title)',
    'create or replace view tasks.token_last_use as select 1',
    'grant select on tasks.tag to resource_api',
    'create function tasks.tags(account uuid) returns bigint language sql as $$ select 1 $$',
    'revoke all on function tasks.tags(uuid) from public',
  ];
  t.deepEqual(breakingStatements(listOf(...additions)), []);
});
