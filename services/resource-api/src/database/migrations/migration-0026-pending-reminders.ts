import { Migration } from '@mikro-orm/migrations';

/** Reminders of one account that are due together are claimed together: they go to its browsers in one message. */
export class Migration0026PendingReminders extends Migration {
  override up(): void {
    this.addSql('drop index tasks.reminder_pending');
    this.addSql(
      'create index reminder_pending on tasks.reminder (remind_at, account_id) where queued_at is null',
    );
  }
}
