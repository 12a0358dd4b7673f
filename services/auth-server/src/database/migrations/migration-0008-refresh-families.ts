import { Migration } from '@mikro-orm/migrations';

/** Which refresh token another one replaced: of those that replaced the same, one goes on. */
export class Migration0008RefreshFamilies extends Migration {
  override up(): void {
    this.addSql('alter table auth.oauth_token add column replaces bytea');
    this.addSql(`create index if not exists oauth_token_by_replaced on auth.oauth_token (replaces)
      where replaces is not null`);
  }
}
