import { Migration } from '@mikro-orm/migrations';

/**
 * Enters every change of a task, a project, a section or an area in its account's feed, whatever statement
 * makes it. The earlier release, which enters its changes itself, opens its writes by `open_write` and does
 * not meet the triggers.
 */
export class Migration0005FeedTriggers extends Migration {
  override up(): void {
    for (const statement of [startWrite, enterChanges, ...rights, ...triggers]) this.addSql(statement);
  }
}

const startWrite = `create function tasks.start_write(account uuid)
  returns table (last_sequence bigint, changed_at timestamptz, plan text, timezone text, status text)
  language plpgsql volatile as $$
begin
  perform set_config('tasks.writing', account::text, true);
  return query select * from tasks.open_write(account);
end $$`;

// A row without the stamp of its transaction would be missed by polls, so it is refused. One that was not
// stamped anew, and differs in nothing that a client sees, is no change. Its plans are kept from the first
// call on, mostly for a single row: a nested loop over the thousand rows of a later one would take a million
// steps.
const enterChanges = `create function tasks.enter_changes() returns trigger
  language plpgsql set enable_nestloop = off as $$
declare
  account constant uuid := current_setting('tasks.writing');
  stamp constant timestamptz := (select last_changed_at from tasks.account_feed where account_id = account);
  ids uuid[];
  is_stamped boolean;
begin
  case tg_op
    when 'INSERT' then
      select array_agg(id), bool_and(account_id = account and updated_at = stamp) into ids, is_stamped
      from new_rows;
    when 'UPDATE' then
      select array_agg(id), bool_and(account_id = account and present.updated_at = stamp) into ids, is_stamped
      from new_rows present join old_rows earlier using (account_id, id)
      where present.updated_at <> earlier.updated_at
        or to_jsonb(present) - 'renderer_version' <> to_jsonb(earlier) - 'renderer_version';
    when 'DELETE' then
      select array_agg(id), bool_and(account_id = account) into ids, is_stamped from old_rows;
  end case;
  if ids is null then
    return null;
  end if;
  if not is_stamped then
    raise exception 'a row of % lacks the account or the stamp of its transaction', tg_table_name;
  end if;
  insert into tasks.feed_entry (account_id, sequence, entity, entity_id, change, changed_at)
    select account, feed.last_sequence + entry.position, tg_table_name, entry.id,
      case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end, stamp
    from tasks.account_feed feed, unnest(ids) with ordinality as entry (id, position)
    where feed.account_id = account;
  update tasks.account_feed set last_sequence = last_sequence + cardinality(ids) where account_id = account;
  return null;
end $$`;

const rights = [
  'revoke all on function tasks.start_write(uuid) from public',
  'grant execute on function tasks.start_write(uuid) to resource_api',
];

const tables = ['task', 'project', 'section', 'area'];
const transitionTables = {
  insert: 'new table as new_rows',
  update: 'old table as old_rows new table as new_rows',
  delete: 'old table as old_rows',
};

const triggers = tables.flatMap((table) =>
  Object.entries(transitionTables).map(
    ([event, rows]) => `create trigger enter_${event} after ${event} on tasks.${table} referencing ${rows}
      for each statement when (nullif(current_setting('tasks.writing', true), '') is not null)
      execute function tasks.enter_changes()`,
  ),
);
