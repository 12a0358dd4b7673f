import { Migration } from '@mikro-orm/migrations';
import test from 'ava';
import { authMigrations } from '#auth-server/database/migrations.ts';
import { taskMigrations } from '#resource-api/database/migrations.ts';
import { breakingStatements } from './upgrade/breaking-statements.ts';

/** Migrations that drop what the release before them had stopped using. */
const contractions: readonly string[] = [];

test('after the first, migrations only add: the release before goes on while they are applied, and after a roll-back', (t) => {
  const breaking = [...breakingStatements(authMigrations), ...breakingStatements(taskMigrations)];
  const unexpected = breaking.filter((place) => !contractions.some((name) => place.startsWith(`${name}: `)));
  t.deepEqual(unexpected, []);
});

const breaking = [
  'drop view tasks.token_last_use',
  'alter table tasks.task rename column title to name',
  'alter table tasks.task alter column title type varchar(200)',
  'alter table tasks.task add column color text not null',
  'alter table tasks.task add constraint short check (length(title) < 100)',
  'update tasks.task set title = upper(title)',
  'revoke select on tasks.task from resource_api',
  'revoke all on function tasks.open_write(uuid) from resource_api',
  'create index task_by_title on tasks.task (account_id, title)',
  'create unique index if not exists task_once on tasks.task (account_id, title)',
  'create trigger stamp before update on tasks.task execute function stamp()',
];
for (const statement of breaking) {
  test(`noticed: ${statement}`, (t) => t.is(breakingStatements(listOf(statement)).length, 1));
}

test('what adds is let through', (t) => {
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

/** Migrations of which the second has these statements. */
function listOf(...statements: string[]) {
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
