import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { connectWith } from './desk.ts';

const stack = await startStack(undefined);

test.after.always(() => stack.close());

test('of more than can go back at once, what went back before does not stop the rest', async (t) => {
  const api = await stack.newClient({ name: 'Script' });
  const { accountId } = api.account;
  const assistant = await connectWith(stack, api.account, { name: 'Claude' });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { id } = await makeTask(api);
  await stack.sql`insert into tasks.change_history (account_id, sequence, changed_at, entity, entity_id, change,
      actor_kind, actor_id, actor_name, is_undo, has_long_values, is_undone)
    select account_id, -number, changed_at - number * interval '1 millisecond', entity, entity_id, change,
      actor_kind, actor_id, actor_name, is_undo, has_long_values, true
    from tasks.change_history, generate_series(1, 1201) number where account_id = ${accountId}`;
  const undo = () => assistant.call('undo', { by: 'Script', since });
  t.regex((await undo()).text, /^Taken back\. What changed:\n- Moved .* to the Trash\.\n/);
  t.true((await api.get<Task>(`/tasks/${id}`)).body.inTrash);
  t.regex((await undo()).text, /^Nothing went back\.\nIt was taken back already\./);
});
