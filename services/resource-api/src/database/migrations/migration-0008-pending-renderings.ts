import { Migration } from '@mikro-orm/migrations';

/** Finds the notes, of all accounts, that are shown as plain text until a thread has time for them. */
export class Migration0008PendingRenderings extends Migration {
  override up(): void {
    for (const table of ['task', 'project']) {
      this.addSql(`create index if not exists ${table}_pending_rendering on tasks.${table} (account_id, id)
        where renderer_version = -1`);
    }
  }
}
