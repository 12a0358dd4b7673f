import { Migration } from '@mikro-orm/migrations';

/**
 * When each task reminds: one row per task and civil time, kept by a trigger and claimed by `queued_at`. A
 * row that was claimed stays for days, so that no change of the task or of the time zone brings it a second
 * time.
 */
export class Migration0012Reminders extends Migration {
  override up(): void {
    for (const statement of [...tables, ...functions, ...triggers, ...views, ...grants, present])
      this.addSql(statement);
  }
}

const tables = [
  `create table tasks.reminder (
     account_id uuid not null,
     task_id uuid not null,
     civil_time text not null,
     remind_at timestamptz(3) not null,
     queued_at timestamptz(3),
     primary key (account_id, task_id, civil_time),
     foreign key (account_id, task_id) references tasks.task (account_id, id) on delete cascade
   )`,
  // For the scheduler and the sweep, which belong to no account.
  'create index reminder_pending on tasks.reminder (remind_at) where queued_at is null',
  'create index reminder_queued on tasks.reminder (queued_at) where queued_at is not null',
];

const functions = [
  // A reminder can be set for the present minute, not for an earlier one.
  `create function tasks.schedule_reminder(account uuid, task uuid, day date, time_of_day text, zone text)
     returns void language sql as $$
     insert into tasks.reminder (account_id, task_id, civil_time, remind_at)
     select account, task, day || ' ' || time_of_day, at from auth.civil_instant(day, time_of_day, zone) at
     where at > clock_timestamp() - interval '1 minute'
     on conflict do nothing $$`,
  `create function tasks.keep_reminder() returns trigger language plpgsql as $$
   begin
     delete from tasks.reminder
     where account_id = new.account_id and task_id = new.id and queued_at is null;
     if new.status = 'open' and new.trashed_at is null and new.reminder_time is not null then
       perform tasks.schedule_reminder(new.account_id, new.id, new.due_date,
         new.reminder_time, account.timezone)
       from auth.account_access account where account.account_id = new.account_id;
     end if;
     return null;
   end $$`,
  // What the new zone has behind it and was not sent yet is sent at once. Takes the account's lock: a write
  // in progress has scheduled by the earlier zone, and is seen from its commit on.
  `create function tasks.move_reminders() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
   begin
     perform pg_advisory_xact_lock(hashtextextended(new.id::text, 0));
     update tasks.reminder reminder
     set remind_at = auth.civil_instant(task.due_date, task.reminder_time, new.timezone)
     from tasks.task
     where reminder.account_id = new.id and queued_at is null
       and task.account_id = new.id and task.id = reminder.task_id;
     perform tasks.schedule_reminder(new.id, id, due_date, reminder_time, new.timezone)
     from tasks.task
     where account_id = new.id and status = 'open' and trashed_at is null and reminder_time is not null;
     return null;
   end $$`,
];

const triggers = [
  `create trigger keep_reminder_of_new after insert on tasks.task for each row
     when (nullif(current_setting('tasks.writing', true), '') is not null and new.reminder_time is not null)
     execute function tasks.keep_reminder()`,
  `create trigger keep_reminder_of_changed after update on tasks.task for each row
     when (nullif(current_setting('tasks.writing', true), '') is not null
       and (old.reminder_time is not null or new.reminder_time is not null)
       and (old.due_date, old.reminder_time, old.status, old.trashed_at)
         is distinct from (new.due_date, new.reminder_time, new.status, new.trashed_at))
     execute function tasks.keep_reminder()`,
  `create trigger reminders_moved after update of timezone on auth.account for each row
     when (old.timezone is distinct from new.timezone) execute function tasks.move_reminders()`,
];

const views = [
  // What a reminder and a digest say, read when they are sent. The columns are the services' contract.
  `create view tasks.open_task_access as
     select account_id, id as task_id, title, due_date, reminder_time, view_date, created_at
     from tasks.task where status = 'open' and trashed_at is null`,
];

const grants = [
  'grant select, insert, update, delete on tasks.reminder to resource_api',
  'grant select on tasks.open_task_access to auth_server',
  'revoke all on function tasks.move_reminders() from public',
];

const present = `select tasks.schedule_reminder(account_id, id, due_date, reminder_time, timezone)
  from tasks.task join auth.account_access using (account_id)
  where task.status = 'open' and trashed_at is null and reminder_time is not null`;
