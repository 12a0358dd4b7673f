import { Migration } from '@mikro-orm/migrations';

/**
 * When each personal token and connected app was last used here. The view is the whole of what auth-server
 * may see of this schema: its columns are a contract between the two services.
 */
export class Migration0002TokenUse extends Migration {
  override up(): void {
    for (const statement of [...tables, ...grants]) this.addSql(statement);
  }
}

const tables = [
  `create table tasks.token_use (
     account_id uuid not null,
     token_id uuid not null,
     last_used_at timestamptz(3) not null,
     primary key (account_id, token_id)
   ) with (fillfactor = 80)`,
  'create view tasks.token_last_use as select account_id, token_id, last_used_at from tasks.token_use',
];

const grants = [
  'grant select, insert, update, delete on tasks.token_use to resource_api',
  'grant usage on schema tasks to auth_server',
  'grant select on tasks.token_last_use to auth_server',
];
