import { Migration } from '@mikro-orm/migrations';

/** When recovery codes were made: those made by a thief are deleted when the owner takes the account back. */
export class Migration0023RecoveryCodeTimes extends Migration {
  override up(): void {
    // Codes from before are old, and none of them ends.
    this.addSql(
      `alter table auth.recovery_code add column created_at timestamptz(3) not null default '-infinity'`,
    );
  }
}
