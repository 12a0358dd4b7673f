import { Migration } from '@mikro-orm/migrations';

/** When the user of a known browser last proved who they are; null: at the sign-in alone. */
export class Migration0009ConfirmedSessions extends Migration {
  override up(): void {
    this.addSql('alter table auth.browser_session add column confirmed_at timestamptz(3)');
  }
}
