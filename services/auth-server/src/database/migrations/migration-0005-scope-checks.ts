import { Migration } from '@mikro-orm/migrations';

/** The code alone lists the scopes: a new one needs no migration. */
export class Migration0005ScopeChecks extends Migration {
  override up(): void {
    for (const table of ['api_token', 'oauth_grant'])
      this.addSql(`alter table auth.${table} drop constraint ${table}_scopes_check`);
  }
}
