import test, { type ExecutionContext } from 'ava';
import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openStore } from './open-store.ts';
import { ScriptedService } from './scripted-service.ts';

const recurrence: AppRecurrence = {
  frequency: 'daily',
  interval: 3,
  weekdays: [],
  fromCompletion: false,
};

async function openWithSeries(t: ExecutionContext) {
  const service = new ScriptedService();
  const task = service.add({ title: 'Water plants', list: 'someday', dueDate: '2026-11-26', recurrence });
  const store = await openStore(t, service);
  await waitFor(() => store.connection.value === 'online');
  const setOnline = async (isOnline: boolean) => {
    service.isOnline = isOnline;
    store.lookAgain(true);
    await waitFor(() => (store.connection.value === 'online') === isOnline);
  };
  const sent = () => waitFor(() => store.waitingCount.value === 0, { timeoutMilliseconds: 15_000 });
  const dueDate = () => service.tasks.get(task.id)?.dueDate;
  return { service, store, task, setOnline, sent, dueDate };
}

for (const act of ['complete', 'skip'] as const) {
  test(`an occurrence that was moved elsewhere meanwhile is told until it is read, and the series stays: ${act}`, async (t) => {
    const { service, store, task, setOnline, sent, dueDate } = await openWithSeries(t);
    await setOnline(false);
    store.commands[act](task.id);
    await store.settled();
    service.put({ ...task, dueDate: '2026-11-29' });
    await setOnline(true);
    await sent();
    t.is(dueDate(), '2026-11-29');
    t.is(store.rows.tasks.row(task.id).value?.status, 'open');
    const [refusal] = store.notices.refusals.value;
    t.is(refusal?.record.title, 'Water plants');
    t.regex(refusal?.message ?? '', /skipped or moved to another day/);
    store.undo();
    await store.settled();
    await sent();
    t.deepEqual(service.undone(), []);
  });
}

test('an occurrence that was completed elsewhere meanwhile, too, needs no word', async (t) => {
  const { service, store, task, setOnline, sent } = await openWithSeries(t);
  await setOnline(false);
  store.commands.complete(task.id);
  await store.settled();
  service.add({
    ...task,
    id: 'logged',
    recurrence: null,
    status: 'completed',
    completedAt: '2026-11-26T09:00:00.000Z',
  });
  service.put({ ...task, dueDate: '2026-11-29' });
  await setOnline(true);
  await sent();
  t.is(store.rows.tasks.row(task.id).value?.dueDate, '2026-11-29');
  t.deepEqual(store.notices.refusals.value, []);
});

test('an occurrence whose day was changed here before it was completed is completed', async (t) => {
  const { store, task, setOnline, sent, dueDate } = await openWithSeries(t);
  await setOnline(false);
  store.commands.plan(task.id, '2026-11-27');
  store.commands.complete(task.id);
  await store.settled();
  await setOnline(true);
  await sent();
  t.is(dueDate(), '2026-12-01');
});

test('a completion whose answer was lost is sent again, and can be taken back', async (t) => {
  const { service, store, task, sent } = await openWithSeries(t);
  service.fault('POST', 'after');
  store.commands.complete(task.id);
  await store.settled();
  await sent();
  const [first, second] = service.writes();
  t.is(second?.key, first?.key);
  store.undo();
  await waitFor(() => service.undone().length === 1);
});
