import { Migration } from '@mikro-orm/migrations';

/**
 * How much each account stores, kept by triggers, whatever statement changes its rows; and idempotency
 * records whose response is compressed. The earlier release goes on to store and to read `body`.
 */
export class Migration0009StoredBytes extends Migration {
  override up(): void {
    for (const statement of [...columns, ...tables.flatMap(counting), ...view]) this.addSql(statement);
  }
}

const columns = [
  // Begins at 0. Once, the sweep adds what the account stored before (measured_at).
  'alter table tasks.account_feed add column stored_bytes bigint not null default 0',
  'alter table tasks.account_feed add column measured_at timestamptz(3)',
  // Null in records of the earlier release, which has the text in `body`.
  'alter table tasks.kept_answer add column compressed_body bytea',
  // The response lacks its descriptionHtml, which this version of the renderer makes of its notes.
  'alter table tasks.kept_answer add column renderer_version integer',
];

const notesBytes = `octet_length(title) + coalesce(octet_length(description), 0)
  + coalesce(octet_length(description_html), 0)`;

/** What a row counts: its texts, and what the rest of it takes, its indexes included. */
const tables = [
  { name: 'task', bytes: `600 + ${notesBytes} + octet_length(checklist::text)` },
  { name: 'project', bytes: `400 + ${notesBytes}` },
  { name: 'section', bytes: '250 + octet_length(title)' },
  { name: 'area', bytes: '200 + octet_length(title)' },
  { name: 'change_history', bytes: '450 + coalesce(octet_length(before::text), 0)' },
  {
    name: 'kept_answer',
    bytes: '300 + octet_length(body) + coalesce(octet_length(compressed_body), 0)',
  },
];

/** A statement may change rows of several accounts, as the sweep does: it locks their feeds in this order. */
function counting({ name, bytes }: (typeof tables)[number]): string[] {
  const added = `select account_id, ${bytes} as bytes from new_rows`;
  const removed = `select account_id, -(${bytes}) as bytes from old_rows`;
  const counted = {
    insert: { rows: added, references: 'new table as new_rows' },
    update: {
      rows: `${added} union all ${removed}`,
      references: 'old table as old_rows new table as new_rows',
    },
    delete: { rows: removed, references: 'old table as old_rows' },
  };
  return Object.entries(counted).flatMap(([event, { rows, references }]) => [
    `create function tasks.count_${name}_${event}() returns trigger language plpgsql as $$
     declare
       counted record;
     begin
       for counted in select account_id, sum(bytes)::bigint as bytes from (${rows}) changed
         group by account_id having sum(bytes) <> 0 order by account_id
       loop
         update tasks.account_feed set stored_bytes = stored_bytes + counted.bytes
         where account_id = counted.account_id;
       end loop;
       return null;
     end $$`,
    `create trigger count_${event} after ${event} on tasks.${name} referencing ${references}
     for each statement execute function tasks.count_${name}_${event}()`,
  ]);
}

const measured = tables
  .map(
    ({ name, bytes }) => `(select coalesce(sum(${bytes}), 0) from tasks.${name} where account_id = account)`,
  )
  .join(' + ');

const view = [
  `create function tasks.measure_stored_bytes(account uuid) returns bigint language sql stable as
     $$ select (${measured})::bigint $$`,
  // A feed entry counts 150 bytes. Shown to auth-server for the page of the plan.
  `create view tasks.account_usage as
     select feed.account_id, feed.stored_bytes + 150 * feed.last_sequence as stored_bytes,
       (select count(*) from tasks.project
        where project.account_id = feed.account_id and status = 'active' and trashed_at is null) as projects,
       (select count(*) from tasks.area where area.account_id = feed.account_id) as areas
     from tasks.account_feed feed`,
  'grant select on tasks.account_usage to auth_server, resource_api',
];
