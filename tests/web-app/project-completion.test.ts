import test, { type ExecutionContext } from 'ava';
import { createWebApps } from '#tests/app/web-app-client.ts';
import type { Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openDevice } from './open-device.ts';

const stack = await startStack(undefined);
const webApps = await createWebApps(stack);

test.after.always(stack.close);

const patience = { timeoutMilliseconds: 20_000 };

/** A device without a network, which shows a project with one open task. */
async function openOffline(t: ExecutionContext, network = fetch) {
  const client = await webApps.open();
  const script = stack.client(await stack.createToken(client.account));
  const project = await makeProject(script, { title: 'Other' });
  const task = await makeTask(script, { title: 'Pack', projectId: project.id });
  const { store, setOnline } = await openDevice(t, stack.baseUrl, client, undefined, network);
  await waitFor(() => store.rows.tasks.server.has(task.id), patience);
  setOnline(false);
  await waitFor(() => store.connection.value !== 'online', patience);
  const sendAll = async () => {
    setOnline(true);
    await waitFor(() => store.waitingCount.value === 0, patience);
  };
  const statuses = async () => {
    const { items } = (await script.get<{ items: Task[] }>('/tasks')).body;
    const own = items.map(({ title, status }) => [title, status]);
    const { status } = (await script.get<Project>(`/projects/${project.id}`)).body;
    return { project: status, ...Object.fromEntries(own) };
  };
  return { store, script, project, task, sendAll, statuses };
}

test('a project is not completed with tasks that came into it meanwhile; once they are asked about, it is', async (t) => {
  const { store, script, project, task, sendAll, statuses } = await openOffline(t);
  store.commands.completeProject(project.id, 'cancel', [task.id]);
  await store.settled();
  const added = await makeTask(script, { title: 'Visa', projectId: project.id });
  await sendAll();
  t.deepEqual(await statuses(), { project: 'active', Pack: 'open', Visa: 'open' });
  const [refusal] = store.notices.refusals.value;
  t.is(refusal?.message, 'The project stays open: 1 open task has come into it meanwhile.');
  t.is(store.rows.projects.row(project.id).value?.status, 'active');
  store.discardRefused(refusal?.id ?? 0);
  store.commands.completeProject(project.id, 'cancel', [task.id, added.id]);
  await store.settled();
  await sendAll();
  t.deepEqual(await statuses(), { project: 'completed', Pack: 'cancelled', Visa: 'cancelled' });
});

test('what was moved out and completed here before goes before the completion of its project, even if it is sent twice', async (t) => {
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
