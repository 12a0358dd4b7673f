import { Migration } from '@mikro-orm/migrations';

/**
 * Which changes were taken back. `undo_of`: of an undo, the stamp of the change that it takes back or,
 * `is_redo`, puts back. The earlier release writes none of them.
 */
export class Migration0025UndoneChanges extends Migration {
  override up(): void {
    this.addSql(`alter table tasks.change_history add column undo_of timestamptz(3),
      add column is_redo boolean not null default false,
      add column is_undone boolean not null default false`);
  }
}
