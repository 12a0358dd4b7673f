import test from 'ava';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid, expectRefusal } from './expect-refusal.ts';
import { listTitles, patchTask, readTask, transition, trash } from './task-requests.ts';

const stack = await startStack(test);

const reminded = { dueDate: '2026-11-24', reminderTime: '09:30' };

test('clearing the start date clears the reminder with it, also when a deadline remains', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  for (const deadlineDate of [null, '2026-12-01']) {
    const { id } = await makeTask(api, { ...reminded, deadlineDate });
    const patched = await patchTask(api, id, { dueDate: null });
    t.like(patched, { dueDate: null, reminderTime: null, deadlineDate });
  }
});

test('clearing the start date and the reminder together is one wish said twice', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api, reminded);
  t.like(await patchTask(api, id, { dueDate: null, reminderTime: null }), {
    dueDate: null,
    reminderTime: null,
  });
});

test('a patch that clears the start date and sets a reminder is refused', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const task = await makeTask(api, reminded);
  for (const patch of [
    { dueDate: null, reminderTime: '10:00' },
    { dueDate: null, reminderTime: '09:30' },
    { dueDate: null, reminderTime: '10:00', deadlineDate: '2026-12-01' },
  ]) {
    expectInvalid(t, await api.patch(`/tasks/${task.id}`, patch), ['reminderTime'], JSON.stringify(patch));
  }
  t.deepEqual(await readTask(api, task.id), task);
});

test('a reminder alone needs a start date that is there', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  for (const fields of [{}, { deadlineDate: '2026-12-01' }]) {
    const { id } = await makeTask(api, fields);
    expectInvalid(t, await api.patch(`/tasks/${id}`, { reminderTime: '09:30' }), ['reminderTime']);
    t.like(await patchTask(api, id, { reminderTime: '09:30', dueDate: '2026-11-24' }), reminded);
    t.like(await patchTask(api, id, { reminderTime: '10:00' }), { ...reminded, reminderTime: '10:00' });
  }
});

test('another start date keeps the reminder; another deadline touches neither', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const { id } = await makeTask(api, reminded);
  t.like(await patchTask(api, id, { dueDate: '2026-11-30' }), { ...reminded, dueDate: '2026-11-30' });
  const patched = await patchTask(api, id, { deadlineDate: '2026-12-01' });
  t.like(patched, { dueDate: '2026-11-30', reminderTime: '09:30', deadlineDate: '2026-12-01' });
  t.like(await patchTask(api, id, { deadlineDate: null }), { dueDate: '2026-11-30', reminderTime: '09:30' });
});

for (const field of ['dueDate', 'deadlineDate']) {
  test(`a task of the inbox that gets a ${field} moves to the top of Someday`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    const { id } = await makeTask(api, { title: 'moved' });
    await makeTask(api, { title: 'there before', list: 'someday' });
    t.like(await patchTask(api, id, { [field]: '2026-11-24' }), { list: 'someday', [field]: '2026-11-24' });
    t.deepEqual(await listTitles(api, 'view=inbox'), []);
    t.deepEqual(await listTitles(api, 'view=someday'), ['moved', 'there before']);
  });
}

test('clearing both dates leaves the task where it is', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const dated = { dueDate: '2026-11-24', deadlineDate: '2026-12-01' };
  const { id } = await makeTask(api, dated);
  t.is((await patchTask(api, id, { dueDate: null })).list, 'someday');
  t.is((await patchTask(api, id, { deadlineDate: null })).list, 'someday');
  const other = await makeTask(api, dated);
  t.is((await patchTask(api, other.id, { dueDate: null, deadlineDate: null })).list, 'someday');
});

test('dates that come and go in a project or in Someday change neither the list nor the place in it', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const project = await makeProject(api);
  for (const [place, query] of [
    [{ projectId: project.id }, `projectId=${project.id}`],
    [{ list: 'someday' }, 'view=someday'],
  ] as const) {
    const { id } = await makeTask(api, { title: 'below', ...place });
    await makeTask(api, { title: 'above', ...place });
    for (const patch of [
      { dueDate: '2026-11-24' },
      { deadlineDate: '2026-12-01' },
      { dueDate: null },
      { deadlineDate: null },
    ]) {
      await patchTask(api, id, patch);
      t.deepEqual(await listTitles(api, query), ['above', 'below'], JSON.stringify(patch));
    }
  }
});

test('a closed task of the inbox that gets a date moves to Someday like an open one', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api);
  await transition(api, id, 'complete');
  t.is((await patchTask(api, id, { dueDate: '2026-11-24' })).list, 'someday');
  await transition(api, id, 'uncomplete');
  t.is((await readTask(api, id)).list, 'someday');
});

test('a free account can neither set a deadline nor change one from better days', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const task = await makeTask(api, { deadlineDate: '2026-12-01' });
  const undated = await makeTask(api);
  await stack.setPlan(api.account, 'free');
  expectRefusal(
    t,
    await api.patch(`/tasks/${undated.id}`, { deadlineDate: '2026-12-01' }),
    'premium_required',
  );
  const changed = await api.patch(`/tasks/${task.id}`, { title: 'x', deadlineDate: '2026-12-02' });
  expectRefusal(t, changed, 'premium_required');
  t.deepEqual(await readTask(api, task.id), task);
  t.deepEqual(await readTask(api, undated.id), undated);
});

test('a free account may keep a deadline, send it again and clear it, but not set it anew', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const task = await makeTask(api, { deadlineDate: '2026-12-01' });
  await stack.setPlan(api.account, 'free');
  t.like(await patchTask(api, task.id, { title: 'kept' }), { deadlineDate: '2026-12-01' });
  const resent = await patchTask(api, task.id, { title: 'sent again', deadlineDate: '2026-12-01' });
  t.like(resent, { title: 'sent again', deadlineDate: '2026-12-01' });
  t.like(await patchTask(api, task.id, { dueDate: '2026-11-24' }), { deadlineDate: '2026-12-01' });
  t.like(await patchTask(api, task.id, { deadlineDate: null }), { deadlineDate: null });
  const set = await api.patch(`/tasks/${task.id}`, { deadlineDate: '2026-12-01' });
  expectRefusal(t, set, 'premium_required');
});

test('closed and trashed tasks of a free account take no deadline either', async (t) => {
  const api = await stack.newClient();
  const [closed, trashed] = [await makeTask(api), await makeTask(api)];
  await transition(api, closed.id, 'complete');
  await trash(api, trashed.id);
  for (const { id } of [closed, trashed]) {
    expectRefusal(t, await api.patch(`/tasks/${id}`, { deadlineDate: '2026-12-01' }), 'premium_required');
  }
});
