import { Migration } from '@mikro-orm/migrations';

/** Signed-in browsers, as resource-api sees them: the web app's access tokens end with their session. */
export class Migration0003SessionAccess extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  `create view auth.session_access as
     select id as session_id, account_id, expires_at from auth.browser_session`,
  'grant select on auth.session_access to resource_api',
];
