import { Migration } from '@mikro-orm/migrations';

/** What a series has for a moved occurrence. The earlier release leaves both null: the task's own dates. */
export class Migration0010SeriesDates extends Migration {
  override up(): void {
    this.addSql(`alter table tasks.task add column if not exists series_due_date date,
      add column if not exists series_deadline_date date`);
  }
}
