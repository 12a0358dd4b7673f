import { Migration } from '@mikro-orm/migrations';

/** Places between two others, the order of a day, and what the web app's first read needs. */
export class Migration0006PlacesAndStamps extends Migration {
  override up(): void {
    for (const statement of [...columns, startWrite]) this.addSql(statement);
  }
}

const columns = [
  // Where the task was placed by hand among those of its day.
  'alter table tasks.task add column day_rank bigint',
  `create index if not exists task_open on tasks.task (account_id, project_id)
     where status = 'open' and trashed_at is null`,
  `create index if not exists task_closed on tasks.task (account_id, project_id)
     where status <> 'open' and trashed_at is null`,
];

// The first column is what releases make their ranks from: 2^20 times the feed's number instead of the number
// leaves room between neighbours, and every rank of either release is beyond those in use. Earlier ranks stay
// as they are.
const startWrite = `create or replace function tasks.start_write(account uuid)
  returns table (last_sequence bigint, changed_at timestamptz, plan text, timezone text, status text)
  language plpgsql volatile as $$
begin
  perform set_config('tasks.writing', account::text, true);
  return query select opened.last_sequence << 20, opened.changed_at,
      opened.plan, opened.timezone, opened.status
    from tasks.open_write(account) opened;
end $$`;
