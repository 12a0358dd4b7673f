import type { SqlConnection } from '#tests/support/connect-sql.ts';

/**
 * Gives each account `tasks` tasks as people have them: notes of two or three lines, some with a date, some
 * with a checklist, some done. Every tenth repeats. One statement for all, and the feed entries that belong
 * to them.
 */
export async function fillTasks(
  { sql }: SqlConnection,
  { accountIds, tasks }: { accountIds: readonly string[]; tasks: number },
): Promise<void> {
  const ids = JSON.stringify(accountIds);
  const words =
    'boards, screws of four sizes, a litre of oil and the blue paint that was sold out last week.';
  const daily = JSON.stringify({ frequency: 'daily', interval: 1, weekdays: [], fromCompletion: false });
  await sql`insert into tasks.task
      (account_id, id, title, description, description_html, renderer_version, status, list,
      due_date, recurrence, recurrence_anchor, checklist, rank, is_trashed_with_project,
      completed_at, created_at, updated_at)
    select account.value::uuid, gen_random_uuid(),
      'Task ' || number || ': order what is missing for the shed', notes.text,
      '<p>' || notes.text || '</p>', 1, case when number % 5 = 4 then 'completed' else 'open' end,
      case when number % 3 = 0 then 'inbox' else 'someday' end,
      case when number % 3 <> 0 then date '2026-01-01' + (number % 700)::int end,
      case when number % 30 = 10 then ${daily}::jsonb end,
      case when number % 30 = 10 then date '2026-01-01' end,
      case when number % 4 = 1 then ${checklist}::jsonb else '[]'::jsonb end,
      -number, false, case when number % 5 = 4 then moment.at end, moment.at, moment.at
    from json_array_elements_text(${ids}::json) account, generate_series(1, ${tasks}::int) number,
      lateral (select timestamptz '2026-01-01' + number * interval '1 second' as at) moment,
      lateral (select 'Item ' || number || ' of the list: ' || ${words}::text as text) notes`;
  await sql`insert into tasks.feed_entry (account_id, sequence, entity, entity_id, change, changed_at)
    select account_id, row_number() over (partition by account_id order by created_at, id),
      'task', id, 'created', updated_at
    from tasks.task where account_id in (select value::uuid from json_array_elements_text(${ids}::json))`;
  await sql`insert into tasks.account_feed (account_id, last_sequence, last_changed_at)
    select value::uuid, ${tasks}, timestamptz '2026-01-01' + (${tasks} + 1) * interval '1 second'
    from json_array_elements_text(${ids}::json)`;
}

const checklist = JSON.stringify([
  { id: '5b0e4a52-8a39-4c4d-9a35-0f5f8f8ad0c1', title: 'Look at what is left', completed: true },
  { id: '5b0e4a52-8a39-4c4d-9a35-0f5f8f8ad0c2', title: 'Ask for the price', completed: false },
  { id: '5b0e4a52-8a39-4c4d-9a35-0f5f8f8ad0c3', title: 'Fetch it', completed: false },
]);
