import test, { type ExecutionContext } from 'ava';
import { createWebApps } from '#tests/app/web-app-client.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openDevice } from './open-device.ts';

const stack = await startStack(undefined);
const webApps = await createWebApps(stack);

test.after.always(stack.close);

const patience = { timeoutMilliseconds: 20_000 };

async function openWithTask(t: ExecutionContext, fields: { dueDate?: string } = {}) {
  const client = await webApps.open();
  const script = stack.client(await stack.createToken(client.account));
  const task = await makeTask(script, { title: 'Call the bank', ...fields });
  const { store } = await openDevice(t, stack.baseUrl, client);
  const server = () => store.rows.tasks.server.get(task.id);
  await waitFor(server, patience);
  const sent = async () => {
    await store.settled();
    await waitFor(() => store.waitingCount.value === 0, patience);
  };
  const said = () => store.notices.toasts.value[0]?.text;
  const says = async (text: string) => {
    await waitFor(() => said() === text, patience).catch(() => undefined);
    t.is(said(), text);
  };
  return { script, task, store, server, sent, says };
}

test('an undo of what was changed elsewhere since says that nothing was undone', async (t) => {
  const { script, task, store, server, sent, says } = await openWithTask(t);
  store.commands.plan(task.id, '2026-12-01');
  await sent();
  await script.patch(`/tasks/${task.id}`, { dueDate: '2026-12-02' });
  await waitFor(() => server()?.dueDate === '2026-12-02', patience);
  store.undo();
  await says('Not undone: “Call the bank”. It was changed since.');
  t.is(server()?.dueDate, '2026-12-02');
});

test('an undo of what was taken back elsewhere does not say that it was done here', async (t) => {
  const { script, task, store, server, sent, says } = await openWithTask(t);
  store.commands.trash(task.id);
  await sent();
  await script.post(`/tasks/${task.id}/restore`);
  await waitFor(() => server()?.inTrash === false, patience);
  store.undo();
  await says('Nothing left to undo: Moved “Call the bank” to the Trash');
});

test('an undo names the change that went without a toast', async (t) => {
  const { task, store, sent, says } = await openWithTask(t);
  store.commands.patchTask(task.id, { title: 'Call the other bank' });
  await sent();
  store.undo();
  await says('Undone: rename of “Call the bank”');
  store.undo();
  await says('Nothing to undo since this page was opened. Activity has what was sent.');
});

test('a planned task that is moved to the Inbox stays where it is, with nothing to undo', async (t) => {
  const { task, store, server, sent, says } = await openWithTask(t, { dueDate: '2026-12-01' });
  const before = server()?.updatedAt;
  store.commands.moveTask(task.id, { list: 'inbox' });
  await says('Not in the Inbox: “Call the bank” has its day');
  t.is(store.notices.toasts.value[0]?.undo, null);
  await sent();
  t.is(server()?.updatedAt, before);
});

test('a toast that offers to undo goes with the next command, and does not come back with its date', async (t) => {
  const { script, task, store, sent, says } = await openWithTask(t, { dueDate: '2099-12-01' });
  store.commands.plan(task.id, '2099-12-03');
  await says('Planned “Call the bank” for 3 Dec 2099');
  store.commands.patchTask(task.id, { title: 'Call the other bank' });
  await store.settled();
  t.deepEqual(store.notices.toasts.value, []);
  await sent();

  await script.patch(`/tasks/${task.id}`, { recurrence: { frequency: 'daily' } });
  await waitFor(() => store.rows.tasks.find(task.id)?.recurrence != null, patience);
  store.commands.complete(task.id);
  store.commands.patchTask(task.id, { title: 'Call every bank' });
  await sent();
  await says('Completed “Call the other bank”');
  t.like(store.notices.toasts.value[0], { undo: null, more: 'Next on 4 Dec 2099' });
});

test('the toast of a cancelled repeat says that the repeat ends, and its undo brings the repeat back', async (t) => {
  const { script, task, store, server, sent, says } = await openWithTask(t, { dueDate: '2026-12-01' });
  await script.patch(`/tasks/${task.id}`, { recurrence: { frequency: 'daily' } });
  await waitFor(() => server()?.recurrence != null, patience);
  store.commands.cancel(task.id);
  await says('Cancelled “Call the bank”');
  t.like(store.notices.toasts.value[0], { more: 'Its repeat ends.' });
  await sent();
  t.is(server()?.recurrence, null);
  store.undo();
  await says('Undone: Cancelled “Call the bank”');
  await waitFor(() => server()?.recurrence != null && server()?.status === 'open', patience);
});
