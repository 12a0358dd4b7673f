import test, { type ExecutionContext } from 'ava';
import { startWebApps } from '#tests/app/web-app-client.ts';
import type { Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { intoInbox } from '#web-app/store/record-choices.ts';
import { openDevice } from './open-device.ts';

const { stack, webApps } = await startWebApps(test, startStack(undefined));

const patience = { timeoutMilliseconds: 20_000 };

/** A device without a network, which shows a project with a section and one open task outside of it. */
async function openOffline(t: ExecutionContext, network = fetch) {
  const client = await webApps.open();
  const script = stack.client(await stack.createToken(client.account));
  const project = await makeProject(script, { title: 'Other' });
  const section = await makeSection(script, project.id);
  const task = await makeTask(script, { title: 'Pack', projectId: project.id });
  const { store, setOnline } = await openDevice(t, stack.baseUrl, client, undefined, network);
  await waitFor(() => store.rows.tasks.server.has(task.id), patience);
  setOnline(false);
  await waitFor(() => store.connection.value !== 'online', patience);
  const sendAll = async () => {
    setOnline(true);
    await waitFor(() => store.waitingCount.value === 0, patience);
  };
  const tasks = async () => (await script.get<{ items: Task[] }>('/tasks')).body.items;
  const statuses = async () => {
    const own = (await tasks()).map(({ title, status }) => [title, status]);
    const { status } = (await script.get<Project>(`/projects/${project.id}`)).body;
    return { project: status, ...Object.fromEntries(own) };
  };
  return { store, script, project, section, task, sendAll, tasks, statuses };
}

test('what was added to a section that was deleted meanwhile is in its project', async (t) => {
  const { store, script, project, section, sendAll, tasks } = await openOffline(t);
  store.commands.addTask({ title: 'Weed', projectId: project.id, sectionId: section.id });
  await store.settled();
  t.is((await script.delete(`/projects/${project.id}/sections/${section.id}`)).status, 204);
  await sendAll();
  t.deepEqual(store.notices.refusals.value, []);
  const added = (await tasks()).find(({ title }) => title === 'Weed');
  t.like(added, { projectId: project.id, sectionId: null });
});

test('what was done with a task that a place does not take is decided with the task', async (t) => {
  const { store, script, project, task: last, sendAll, tasks } = await openOffline(t);
  const add = (title: string) => {
    const [id = ''] = store.commands.addTasks([{ title, projectId: project.id }], {
      id: last.id,
      scope: 'list',
    });
    store.commands.patchTask([id], { title: `${title} twice` });
    store.commands.complete([id]);
  };
  for (const title of ['Weed', 'Rake']) add(title);
  await store.settled();
  t.is((await script.delete(`/projects/${project.id}`)).status, 204);
  await sendAll();
  const [weed, rake, ...others] = store.notices.refusals.value;
  t.deepEqual([weed?.text, rake?.text], ['Weed\n\nWeed twice', 'Rake\n\nRake twice']);
  t.is(weed?.message, 'Its project “Other” is in the Trash.');
  t.deepEqual(others, []);
  store.retryRefused(weed?.id ?? 0, intoInbox(weed?.id ?? 0));
  store.discardRefused(rake?.id ?? 0);
  await waitFor(async () => (await tasks()).some(({ status }) => status === 'completed'), patience);
  await waitFor(() => store.waitingCount.value === 0, patience);
  t.deepEqual(store.notices.refusals.value, []);
  const [task, ...more] = await tasks();
  t.like(task, { title: 'Weed twice', list: 'inbox', status: 'completed' });
  t.deepEqual(more, []);
});

test('earlier moves and completions precede their project’s completion, even when resent', async (t) => {
  const failed = new Set<string>();
  const { store, project, task, sendAll, statuses } = await openOffline(t, async (path, init) => {
    const [act = ''] = /(move|tasks.+complete)$/.exec(String(path)) ?? [];
    if (act === '' || failed.has(act)) return fetch(path, init);
    failed.add(act);
    return Response.json({}, { status: 500 });
  });
  const { commands } = store;
  const projectId = project.id;
  commands.complete(commands.addTask({ title: 'Ticked', projectId }));
  const asked = commands.addTask({ title: 'Asked', projectId });
  commands.moveTask(task.id, { list: 'inbox' });
  commands.completeProject(projectId, 'cancel', [asked]);
  await store.settled();
  await sendAll();
  t.is(failed.size, 2);
  t.deepEqual(store.notices.refusals.value, []);
  t.deepEqual(await statuses(), {
    project: 'completed',
    Pack: 'open',
    Ticked: 'completed',
    Asked: 'cancelled',
  });
});

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

test('an undo says how many tasks stay as they are', async (t) => {
  const { script, task, store, sent, says } = await openWithTask(t);
  // They are sent at once: whichever of the two comes last is named.
  const others = [await makeTask(script, { title: 'Pack' }), await makeTask(script, { title: 'Pack' })];
  await waitFor(() => others.every(({ id }) => store.rows.tasks.server.has(id)), patience);
  store.commands.plan([task.id, ...others.map(({ id }) => id)], '2026-12-01');
  await sent();
  for (const { id } of others) await script.patch(`/tasks/${id}`, { dueDate: '2026-12-02' });
  await waitFor(
    () => others.every(({ id }) => store.rows.tasks.server.get(id)?.dueDate === '2026-12-02'),
    patience,
  );
  store.undo();
  await says('Undone, except “Pack” and 1 more. It was changed since.');
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

test('a toast with an undo goes with the next command, and does not return with its date', async (t) => {
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

test('the toast of a cancelled repeat says that it ends, and its undo brings it back', async (t) => {
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
