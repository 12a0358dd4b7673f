import { Migration } from '@mikro-orm/migrations';

/**
 * The schema of the accounts' data. Every key and index leads with account_id, so that the tables can be
 * distributed by account; nothing refers across to schema auth.
 */
export class Migration0001Tasks extends Migration {
  override up(): void {
    for (const statement of [...feedTables, ...resourceTables, ...lockFunctions, ...grants])
      this.addSql(statement);
  }
}

const feedTables = [
  `create table tasks.account_feed (
     account_id uuid primary key,
     last_sequence bigint not null,
     last_changed_at timestamptz(3) not null
   ) with (fillfactor = 50)`,
  `create table tasks.feed_entry (
     account_id uuid not null,
     sequence bigint not null,
     entity text not null check (entity in ('task', 'project', 'section', 'area')),
     entity_id uuid not null,
     change text not null check (change in ('created', 'updated', 'deleted')),
     changed_at timestamptz(3) not null,
     primary key (account_id, sequence)
   )`,
  // Shared by all replicas and never leaving the database; seals cursors.
  `create table tasks.cursor_key (key_id integer primary key check (key_id = 1), secret bytea not null)`,
  `insert into tasks.cursor_key
     select 1, decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')`,
];

const resourceTables = [
  `create table tasks.area (
     account_id uuid not null,
     id uuid not null,
     title text not null,
     rank bigint not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     primary key (account_id, id)
   )`,
  `create index area_by_rank on tasks.area (account_id, rank, id)`,
  `create table tasks.project (
     account_id uuid not null,
     id uuid not null,
     area_id uuid,
     title text not null,
     description text,
     description_html text not null,
     renderer_version integer not null,
     status text not null check (status in ('active', 'completed', 'cancelled')),
     deadline_date date,
     rank bigint not null,
     trashed_at timestamptz(3),
     completed_at timestamptz(3),
     cancelled_at timestamptz(3),
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     primary key (account_id, id),
     foreign key (account_id, area_id) references tasks.area (account_id, id),
     check ((status = 'completed') = (completed_at is not null)),
     check ((status = 'cancelled') = (cancelled_at is not null))
   )`,
  `create index project_by_rank on tasks.project (account_id, rank, id) where trashed_at is null`,
  `create index project_by_area on tasks.project (account_id, area_id) where area_id is not null`,
  `create table tasks.section (
     account_id uuid not null,
     id uuid not null,
     project_id uuid not null,
     title text not null,
     position integer not null check (position >= 0),
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     primary key (account_id, id),
     unique (account_id, project_id, id),
     foreign key (account_id, project_id) references tasks.project (account_id, id)
   )`,
  `create table tasks.task (
     account_id uuid not null,
     id uuid not null,
     title text not null,
     description text,
     description_html text not null,
     renderer_version integer not null,
     status text not null check (status in ('open', 'completed', 'cancelled')),
     list text not null check (list in ('inbox', 'someday', 'project')),
     project_id uuid,
     section_id uuid,
     due_date date,
     deadline_date date,
     reminder_time text,
     recurrence jsonb,
     recurrence_anchor date,
     checklist jsonb not null,
     rank bigint not null,
     trashed_at timestamptz(3),
     is_trashed_with_project boolean not null,
     completed_at timestamptz(3),
     cancelled_at timestamptz(3),
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     view_date date generated always as (coalesce(due_date, deadline_date)) stored,
     closed_at timestamptz(3) generated always as (coalesce(completed_at, cancelled_at)) stored,
     primary key (account_id, id),
     foreign key (account_id, project_id) references tasks.project (account_id, id),
     foreign key (account_id, project_id, section_id) references tasks.section (account_id, project_id, id),
     check ((list = 'project') = (project_id is not null)),
     check (section_id is null or project_id is not null),
     check (list <> 'inbox' or (due_date is null and deadline_date is null)),
     check (reminder_time is null or due_date is not null),
     check ((recurrence is null) = (recurrence_anchor is null)),
     check ((status = 'completed') = (completed_at is not null)),
     check ((status = 'cancelled') = (cancelled_at is not null)),
     check (not is_trashed_with_project or trashed_at is not null)
   )`,
  `create index task_by_creation on tasks.task (account_id, created_at, id)`,
  `create index task_by_update on tasks.task (account_id, updated_at, id)`,
  `create index task_by_list on tasks.task (account_id, list, rank, id)`,
  `create index task_by_project on tasks.task (account_id, project_id, rank, id)
     where project_id is not null`,
  `create index task_by_view_date on tasks.task (account_id, view_date, created_at, id)
     where status = 'open' and trashed_at is null and view_date is not null`,
  `create index task_by_closing on tasks.task (account_id, closed_at desc, id desc)
     where status <> 'open' and trashed_at is null`,
  `create index task_by_trashing on tasks.task (account_id, trashed_at desc, id desc)
     where trashed_at is not null`,
];

const lockFunctions = [
  // Statement by statement, because each must see what was committed before the lock was had. The stamp is
  // rounded up to the millisecond: rounded down, it could lie before the start of a read that did not see the
  // row.
  `create function tasks.open_write(account uuid)
     returns table (last_sequence bigint, changed_at timestamptz, plan text, timezone text, status text)
     language plpgsql volatile as $$
   begin
     perform pg_advisory_xact_lock(hashtextextended(account::text, 0));
     return query
       with feed as (
         insert into tasks.account_feed as present (account_id, last_sequence, last_changed_at)
         values (account, 0, date_trunc('milliseconds', clock_timestamp() + interval '999 microseconds'))
         on conflict (account_id) do update set last_changed_at = greatest(
           date_trunc('milliseconds', clock_timestamp() + interval '999 microseconds'),
           present.last_changed_at + interval '1 millisecond')
         returning present.last_sequence, present.last_changed_at
       )
       select feed.last_sequence, feed.last_changed_at::timestamptz, a.plan, a.timezone, a.status
       from feed join auth.account_access a on a.account_id = account;
   end $$`,
  `create function tasks.wait_for_writes(account uuid) returns void
     language sql volatile as $$ select pg_advisory_xact_lock_shared(hashtextextended(account::text, 0)) $$`,
];

const grants = [
  'grant usage on schema tasks to resource_api',
  `grant select, insert, update, delete on tasks.area, tasks.project, tasks.section, tasks.task
     to resource_api`,
  'grant select, insert, update on tasks.account_feed to resource_api',
  'grant select, insert on tasks.feed_entry to resource_api',
  'grant select on tasks.cursor_key to resource_api',
  'revoke all on function tasks.open_write(uuid), tasks.wait_for_writes(uuid) from public',
  'grant execute on function tasks.open_write(uuid), tasks.wait_for_writes(uuid) to resource_api',
];
