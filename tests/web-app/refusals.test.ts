import test from 'ava';
import { waitFor } from '#tests/support/wait-for.ts';
import { discardAlone } from '#web-app/store/record-choices.ts';
import { openStore } from './open-store.ts';
import { ScriptedService } from './scripted-service.ts';

test('what was refused and sent again can be taken back', async (t) => {
  const service = new ScriptedService();
  const { id } = service.add({ title: 'Rent' });
  const store = await openStore(t, service);
  await waitFor(() => store.connection.value === 'online');
  service.fault('PATCH', { status: 403, body: { errorCode: 'premium_required', message: 'No' } });
  store.commands.patchTask(id, { deadlineDate: '2026-12-01' });
  await waitFor(() => store.notices.planLimit.value !== null);
  store.retryRefused(store.notices.planLimit.value?.id ?? 0);
  await waitFor(() => service.tasks.get(id)?.deadlineDate === '2026-12-01');
  await waitFor(() => store.waitingCount.value === 0);
  store.undo();
  await store.settled();
  await waitFor(() => service.undone().length === 1);
  t.pass();
});

test('a change that conflicts with another’s is reported whole, and can be sent again', async (t) => {
  const service = new ScriptedService();
  const task = service.add({ title: 'Rent', list: 'someday', dueDate: '2026-12-01' });
  let isLost = false;
  const store = await openStore(t, {
    async fetch(input, init) {
      if (init?.method !== 'PATCH' || isLost) return service.fetch(input, init);
      isLost = true;
      service.put({ ...task, dueDate: '2026-12-02' });
      throw new TypeError('Failed to fetch');
    },
  });
  await waitFor(() => store.connection.value === 'online');
  store.commands.plan(task.id, '2026-12-03', { reminderTime: '09:00' });
  await store.settled();
  await waitFor(() => store.waitingCount.value === 0);
  const [refusal] = store.notices.refusals.value;
  t.is(refusal?.message, 'It was changed elsewhere meanwhile.');
  t.like(service.tasks.get(task.id), { dueDate: '2026-12-02', reminderTime: null });
  store.retryRefused(refusal?.id ?? 0);
  await waitFor(() => service.tasks.get(task.id)?.reminderTime === '09:00');
  t.is(service.tasks.get(task.id)?.dueDate, '2026-12-03');
});

test('of a project that is discarded the tasks added to it are put into the Inbox', async (t) => {
  const service = new ScriptedService();
  const store = await openStore(t, service);
  await waitFor(() => store.connection.value === 'online');
  service.isOnline = false;
  service.fault('POST', { status: 403, body: { errorCode: 'project_limit_reached', message: 'Five' } });
  const projectId = store.commands.addProject({ title: 'Garden' });
  const dig = store.commands.addTask({ title: 'Dig', projectId });
  store.commands.plan(dig, '2026-12-01');
  await store.settled();
  service.isOnline = true;
  store.lookAgain(true);
  await waitFor(() => store.notices.planLimit.value !== null, { timeoutMilliseconds: 15_000 });
  const id = store.notices.planLimit.value?.id ?? 0;
  store.discardRefused(id, discardAlone(id));
  await waitFor(() => store.waitingCount.value === 0);
  const [task, ...others] = service.tasks.values();
  t.like(task, { title: 'Dig', list: 'inbox', projectId: null, dueDate: '2026-12-01' });
  t.deepEqual(others, []);
});
