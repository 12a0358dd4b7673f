import { Migration } from '@mikro-orm/migrations';

/**
 * Files on their way into an account: the parts as they were uploaded, then the rows made of them. Nothing of
 * them shows until one transaction stores all rows.
 */
export class Migration0021AccountImports extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  `create table tasks.account_import (
     account_id uuid primary key,
     id uuid not null,
     created_at timestamptz(3) not null,
     started_at timestamptz(3)
   )`,
  'create index account_import_by_age on tasks.account_import (created_at)',
  `create table tasks.import_piece (
     account_id uuid not null,
     import_id uuid not null,
     kind text not null check (kind in ('part', 'area', 'project', 'section', 'task')),
     number integer not null check (number >= 0),
     content bytea not null,
     primary key (account_id, import_id, kind, number)
   )`,
  'grant select, insert, update, delete on tasks.account_import, tasks.import_piece to resource_api',
];
