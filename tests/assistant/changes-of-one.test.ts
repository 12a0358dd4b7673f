import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask, makeTasks } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import type { AssistantClient } from './assistant-client.ts';
import { furnishDesk, openDesk, saturday } from './desk.ts';

const stack = await startStack(test, { now: saturday });

type Call = { call: string; earlier?: number; changes: object[] };

const callsOf = async (assistant: AssistantClient, input: object = {}) =>
  (await assistant.call('recent_changes', input)).content.calls as Call[];

test('what the changes of one task are undone by leaves the other tasks of their call alone', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  const pair = [ids['Buy milk'], ids['Call the dentist']];
  await assistant.call('reschedule_tasks', { tasks: pair.map((id) => ({ id, dueDate: '2026-12-03' })) });
  const { text } = await assistant.call('recent_changes', { task: ids['Buy milk'] });
  const [, handle] =
    /\[(\S+)\]\n {2}Changed the date of “Buy milk” from 21 Nov to 3 Dec\.\n/.exec(text) ?? [];
  const [newest] = await callsOf(assistant, { task: ids['Buy milk'] });
  t.is(newest?.call, handle);
  await assistant.call('undo', { changes: [handle] });
  const days = pair.map(async (id) => (await api.get<Task>(`/tasks/${id}`)).body.dueDate);
  t.deepEqual(await Promise.all(days), ['2026-11-21', '2026-12-03']);
});

test('a changed checklist is told by its steps, those that a repeat unticks too', async (t) => {
  const { api, assistant } = await openDesk(stack);
  const checklist = ['Soap', 'Towel', 'Book', 'Hat'].map((title) => ({ title }));
  const { id } = await makeTask(api, { dueDate: '2026-11-21', recurrence: { frequency: 'daily' } });
  await api.patch(`/tasks/${id}`, { title: 'Pack', checklist });
  await assistant.call('edit_checklists', {
    edits: [{ id, tick: ['Soap'], add: ['Map'], remove: ['Book', 'Hat'] }],
  });
  await assistant.call('set_task_status', { ids: [id], status: 'completed' });
  const { text } = await assistant.call('recent_changes', { task: id });
  t.regex(
    text,
    /Renamed “.+” to “Pack” and changed its checklist \(added “Soap” “Towel” “Book” and 1 more\)\./,
  );
  t.regex(text, /Changed the checklist of “Pack” \(added “Map”, ticked “Soap”, removed “Book” “Hat”\)\./);
  t.regex(text, /Completed “Pack”, .+ and changed its checklist \(unticked “Soap”\)\./);
  const undone = await assistant.call('undo', { latest: true });
  t.regex(undone.text, /Reopened “Pack”, .+ and changed its checklist \(ticked “Soap”\)\./);
});

test('a logged date that goes or comes back without its repeat is not called deleted or added', async (t) => {
  const { api, assistant } = await openDesk(stack);
  const plan = { dueDate: '2026-11-21', recurrence: { frequency: 'daily' } } as const;
  const { id } = await makeTask(api, { title: 'Sweep', ...plan });
  await assistant.call('set_task_status', { ids: [id], status: 'completed' });
  const [completed] = await callsOf(assistant);
  await api.patch(`/tasks/${id}`, plan);
  const { text } = await assistant.call('undo', { changes: [completed?.call] });
  t.regex(text, /^Taken back\. What changed:\n- Took out of the logbook: “Sweep”\.\n/);
  const again = await assistant.call('undo', { latest: true });
  t.regex(again.text, /\n- Put back into the logbook: “Sweep”\.\n/);
});

test('completing a repeat that keeps its day is listed as a completion, not as an addition', async (t) => {
  const { api, assistant } = await openDesk(stack);
  const recurrence = { frequency: 'daily', interval: 3, fromCompletion: true } as const;
  const { id } = await makeTask(api, { title: 'Descale', dueDate: '2026-11-24', recurrence });
  const { id: bread } = await makeTask(api, { title: 'Bake' });
  for (const occurrence of ['2026-11-24', '2026-11-24'])
    await assistant.call('set_task_status', { ids: [id], status: 'completed', occurrence });
  await assistant.call('set_task_status', { ids: [bread], status: 'completed' });
  const { text } = await assistant.call('recent_changes');
  t.is(text.match(/Completed “Descale”\./g)?.length, 2);
  t.is(text.match(/Added “Descale”\./g)?.length, 1);
  t.regex(text, /Completed “Bake”\.[\s\S]*Added “Bake”\./);
});

test('who changed nothing of a task, but something else, is not said to have changed nothing', async (t) => {
  const { api, assistant } = await openDesk(stack);
  const { id } = await makeTask(api);
  await assistant.call('add_tasks', { tasks: [{ title: 'Sweep' }] });
  const { text } = await assistant.call('recent_changes', { by: 'me', task: id });
  t.regex(text, / 0 calls\.\nNothing of this task was changed by «me»\. /);
});

test('a call with changes of others in between counts those on the next page, too', async (t) => {
  const { api, assistant } = await openDesk(stack);
  const add = async (count: number) => {
    await assistant.call('add_tasks', { tasks: Array(count).fill({ title: 'Weed' }) });
    return (await callsOf(assistant))[0]?.call;
  };
  const first = await add(30);
  await makeTasks(api, 1);
  const second = await add(30);
  await stack.sql`update tasks.change_history set call_id = ${first} where call_id = ${second}`;
  await add(49);
  const sizesOf = (calls: readonly Call[]) => calls.map(({ changes, earlier }) => [changes.length, earlier]);
  const { content } = await assistant.call('recent_changes');
  t.deepEqual(sizesOf(content.calls as Call[]), [
    [49, undefined],
    [49, 11],
    [1, undefined],
  ]);
  t.deepEqual(sizesOf(await callsOf(assistant, { cursor: content.nextCursor })), [[11, undefined]]);
});
