import test from 'ava';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { connectWith, resultsOf, saturday } from './desk.ts';

const stack = await startStack(undefined, { now: saturday });

test.after.always(() => stack.close());

const acts = [
  { act: 'completed', tool: 'set_task_status', rest: { status: 'completed' } },
  { act: 'skipped', tool: 'skip_occurrence', rest: {} },
] as const;

async function openWithPlants(recurrence: { frequency: 'daily'; until?: string } = { frequency: 'daily' }) {
  const api = await stack.newClient({ plan: 'premium', timezone: 'Europe/Berlin' });
  const { id } = await makeTask(api, { title: 'Water the plants', dueDate: '2026-11-20', recurrence });
  const day = async () => (await api.get<Task>(`/tasks/${id}`)).body.dueDate;
  return { api, id, day, assistant: await connectWith(stack, api.account) };
}

for (const { act, tool, rest } of acts) {
  test(`a call that is repeated takes no other occurrence, and says what was done and what comes next: ${act}`, async (t) => {
    const { assistant, id, day } = await openWithPlants();
    const call = (more: object = {}) => assistant.call(tool, { ids: [id], ...rest, ...more });
    const done = await call();
    t.regex(
      done.text,
      new RegExp(`✓ ${act} for Fri 2026-11-20, and at its next date now .*planned Sun 2026-11-22`),
    );
    t.like(resultsOf(done)[0], { ok: true, occurrence: '2026-11-20', task: { dueDate: '2026-11-22' } });
    const again = await call();
    t.regex(
      again.text,
      new RegExp(`^= nothing changed, it was ${act} at [-\\d]+ [:\\d]+ already; .* occurrence=2026-11-22: `),
    );
    t.like(resultsOf(again)[0], { ok: true, unchanged: true, task: { dueDate: '2026-11-22' } });
    t.is(await day(), '2026-11-22');
    const named = { occurrence: '2026-11-22' };
    t.regex((await call(named)).text, new RegExp(`✓ ${act} for Sun 2026-11-22`));
    t.regex((await call(named)).text, /The task is on 2026-11-23 now, not on 2026-11-22/);
    t.is(await day(), '2026-11-23');
  });

  test(`calls in the same instant take one occurrence: ${act}`, async (t) => {
    const { api, assistant, id, day } = await openWithPlants();
    const other = await connectWith(stack, api.account);
    await Promise.all([assistant, other, assistant].map((each) => each.call(tool, { ids: [id], ...rest })));
    t.is(await day(), '2026-11-22');
  });
}

test('what was ticked elsewhere today is not completed again; what was taken back, or planned anew, is', async (t) => {
  const { api, assistant, id, day } = await openWithPlants();
  const complete = () => assistant.call('set_task_status', { ids: [id], status: 'completed' });
  await api.post(`/tasks/${id}/complete`);
  t.like(resultsOf(await complete())[0], { unchanged: true });
  await api.patch(`/tasks/${id}`, { dueDate: '2026-11-21' });
  t.regex((await complete()).text, /✓ completed for Sat 2026-11-21/);
  await assistant.call('undo', { latest: true });
  t.is(await day(), '2026-11-21');
  t.regex((await complete()).text, /✓ completed for Sat 2026-11-21/);
  await api.patch(`/tasks/${id}`, { dueDate: '2026-11-21', recurrence: { frequency: 'weekly' } });
  t.regex((await complete()).text, /✓ completed for Sat 2026-11-21.*Sat 2026-11-28/);
  const logged = await api.get<Page<Task>>('/tasks?view=logbook');
  t.is(logged.body.items.length, 3);
});

test('counted from completion it may be planned for the same day again: what was done is told, and done once', async (t) => {
  const { api, assistant, id, day } = await openWithPlants();
  const recurrence = { frequency: 'daily', interval: 3, fromCompletion: true };
  await api.patch(`/tasks/${id}`, { dueDate: '2026-11-22', recurrence });
  await api.patch(`/tasks/${id}`, { dueDate: '2026-11-24' });
  const complete = (more = {}) =>
    assistant.call('set_task_status', { ids: [id], status: 'completed', ...more });
  t.regex((await complete()).text, /✓ completed for Tue 2026-11-24.*planned Tue 2026-11-24/);
  t.regex((await complete()).text, /= nothing changed, it was completed at/);
  const named = await complete({ occurrence: '2026-11-24' });
  t.regex(named.text, /✓ completed for Tue 2026-11-24/);
  t.not(resultsOf(named)[0]?.unchanged, true);
  t.is((await api.get<Page<Task>>('/tasks?view=logbook')).body.items.length, 2);
  t.regex((await assistant.call('skip_occurrence', { ids: [id] })).text, /✓ skipped for Tue 2026-11-24/);
  t.is(await day(), '2026-11-27');
});

test('what comes after an occurrence may be skipped as the answer says', async (t) => {
  const { assistant, id, day } = await openWithPlants();
  const skip = (more = {}) => assistant.call('skip_occurrence', { ids: [id], ...more });
  const [, occurrence] = /to skip that, too: occurrence=([-\d]+)/.exec((await skip()).text) ?? [];
  t.is(occurrence ?? null, await day());
  await skip({ occurrence });
  t.is(await day(), '2026-11-23');
});

test('an occurrence may be skipped after another was completed, and the last one ends the series', async (t) => {
  const { assistant, id, day } = await openWithPlants({ frequency: 'daily', until: '2026-11-23' });
  const complete = (more = {}) =>
    assistant.call('set_task_status', { ids: [id], status: 'completed', ...more });
  await complete();
  t.false((await assistant.call('skip_occurrence', { ids: [id] })).isError);
  t.is(await day(), '2026-11-23');
  const last = await complete();
  t.regex(last.text, /✓ completed for Mon 2026-11-23: Water the plants/);
  t.regex((await complete()).text, /= nothing changed, it is so already/);
});

test('a date belongs to completing', async (t) => {
  const { assistant, id } = await openWithPlants();
  const { text, isError } = await assistant.call('set_task_status', {
    ids: [id],
    status: 'cancelled',
    occurrence: '2026-11-20',
  });
  t.true(isError);
  t.regex(text, /occurrence goes with status=completed/);
});
