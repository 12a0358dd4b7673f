import { Migration } from '@mikro-orm/migrations';

/**
 * Who changed what, and from which old value: a row beside each feed entry, made by the same triggers. The
 * earlier release opens its writes without an actor; its changes have none.
 */
export class Migration0007ChangeHistory extends Migration {
  override up(): void {
    const enter = enterChanges(`sequence <= newest - ${keptChanges}`);
    for (const statement of [...table, startWrite, enter, ...rights]) this.addSql(statement);
  }
}

const table = [
  // `before`: old values of the changed columns, of all columns when deleted, null when created.
  `create table tasks.change_history (
     account_id uuid not null,
     sequence bigint not null,
     changed_at timestamptz(3) not null,
     entity text not null,
     entity_id uuid not null,
     change text not null,
     actor_kind text check (actor_kind in ('app', 'token', 'browser', 'operator')),
     actor_id text,
     actor_name text,
     call_id uuid,
     is_undo boolean not null,
     before jsonb,
     has_long_values boolean not null,
     primary key (account_id, sequence)
   )`,
  'create index change_history_by_entity on tasks.change_history (account_id, entity_id, sequence)',
  `create index change_history_by_call on tasks.change_history (account_id, call_id, sequence)
     where call_id is not null`,
  `create index change_history_of_long_values on tasks.change_history (account_id, sequence)
     where has_long_values`,
  // For the sweep, which belongs to no account, and for look-ups of a few stamps.
  'create index change_history_by_age on tasks.change_history (changed_at)',
];

const startWrite = `create function tasks.start_write(account uuid, actor jsonb)
  returns table (last_sequence bigint, changed_at timestamptz, plan text, timezone text, status text)
  language plpgsql volatile as $$
begin
  perform set_config('app.actor', actor::text, true);
  return query select * from tasks.start_write(account);
end $$`;

/** No client sees these, or they follow from the others. */
const hiddenColumns = `array['account_id', 'id', 'updated_at', 'renderer_version', 'description_html',
  'view_date', 'closed_at']`;

/** A month of a busy account is some thousand changes; scripts that write all day keep fewer days of it. */
export const keptChanges = 100_000;
export const changesPerSweep = 1_000;
/** Notes and checklists above this size are kept for the account's newest changes alone. */
const longBytes = 8_000;
const keptLongChanges = 200;

/**
 * As in migration 0005, with a row of the history for each entry whose change a client can see. `timezone`:
 * old values are kept and compared as text. `offset 0` converts each row once. `tooOld`: the rows that the
 * newest push out.
 */
export const enterChanges = (
  tooOld: string,
): string => `create or replace function tasks.enter_changes() returns trigger
  language plpgsql set enable_nestloop = off set timezone = 'UTC' as $$
declare
  account constant uuid := current_setting('tasks.writing');
  stamp constant timestamptz := (select last_changed_at from tasks.account_feed where account_id = account);
  actor constant jsonb := nullif(current_setting('app.actor', true), '');
  change constant text := case tg_op
    when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end;
  ids uuid[];
  earlier_values jsonb[];
  is_stamped boolean;
  is_long boolean;
  newest bigint;
begin
  case tg_op
    when 'INSERT' then
      select array_agg(id), bool_and(account_id = account and updated_at = stamp) into ids, is_stamped
      from new_rows;
    when 'UPDATE' then
      select array_agg(id), bool_and(account_id = account and present.updated_at = stamp),
        array_agg((
          select jsonb_object_agg(key, value) from jsonb_each(old_row.columns)
            where value <> new_row.columns -> key))
      into ids, is_stamped, earlier_values
      from new_rows present join old_rows earlier using (account_id, id)
      cross join lateral (select to_jsonb(earlier) - ${hiddenColumns} as columns offset 0) old_row
      cross join lateral (select to_jsonb(present) - ${hiddenColumns} as columns offset 0) new_row
      where present.updated_at <> earlier.updated_at
        or to_jsonb(present) - 'renderer_version' <> to_jsonb(earlier) - 'renderer_version';
    when 'DELETE' then
      select array_agg(id), bool_and(account_id = account), array_agg(to_jsonb(gone) - ${hiddenColumns})
      into ids, is_stamped, earlier_values from old_rows gone;
  end case;
  if ids is null then
    return null;
  end if;
  if not is_stamped then
    raise exception 'a row of % lacks the account or the stamp of its transaction', tg_table_name;
  end if;
  update tasks.account_feed set last_sequence = last_sequence + cardinality(ids) where account_id = account
    returning last_sequence into newest;
  insert into tasks.feed_entry (account_id, sequence, entity, entity_id, change, changed_at)
    select account, newest - cardinality(ids) + entry.position, tg_table_name, entry.id, change, stamp
    from unnest(ids) with ordinality as entry (id, position);
  with entered as (
    insert into tasks.change_history (account_id, sequence, changed_at, entity, entity_id, change, actor_kind,
      actor_id, actor_name, call_id, is_undo, before, has_long_values)
    select account, newest - cardinality(ids) + entry.position, stamp, tg_table_name, entry.id, change,
      actor ->> 'kind', actor ->> 'id', actor ->> 'name', (actor ->> 'callId')::uuid,
      coalesce((actor ->> 'isUndo')::boolean, false), entry.before,
      coalesce(pg_column_size(entry.before) > ${longBytes}, false)
    from unnest(ids, earlier_values) with ordinality as entry (id, before, position)
    where entry.before is not null or tg_op = 'INSERT'
    returning has_long_values
  ) select bool_or(has_long_values) into is_long from entered;
  if newest / ${changesPerSweep} > (newest - cardinality(ids)) / ${changesPerSweep} then
    delete from tasks.change_history where account_id = account and ${tooOld};
  end if;
  if is_long then
    update tasks.change_history set has_long_values = false,
      before = before || (select jsonb_object_agg(key, '{"isDropped": true}'::jsonb)
        from jsonb_object_keys(before) key where key in ('description', 'checklist'))
    where account_id = account and has_long_values and sequence <= (
      select sequence from tasks.change_history where account_id = account and has_long_values
      order by sequence desc offset ${keptLongChanges} limit 1);
  end if;
  return null;
end $$`;

const rights = [
  'revoke all on function tasks.start_write(uuid, jsonb) from public',
  'grant execute on function tasks.start_write(uuid, jsonb) to resource_api',
  'grant select, insert, update, delete on tasks.change_history to resource_api',
];
