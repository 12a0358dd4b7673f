import test, { type ExecutionContext } from 'ava';
import { createWebApps } from '#tests/app/web-app-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openDevice } from './open-device.ts';

const stack = await startStack(undefined);
const webApps = await createWebApps(stack);

test.after.always(stack.close);

const patience = { timeoutMilliseconds: 20_000 };

/** A task is added to the section offline; then `act` of another client. */
async function addOffline(t: ExecutionContext, act: (project: string, section: string) => string) {
  const client = await webApps.open();
  const script = stack.client(await stack.createToken(client.account));
  const project = await makeProject(script, { title: 'Garden' });
  const section = await makeSection(script, project.id);
  const { store, setOnline } = await openDevice(t, stack.baseUrl, client);
  await waitFor(() => store.rows.sections.server.has(section.id), patience);
  setOnline(false);
  await waitFor(() => store.connection.value !== 'online', patience);
  store.commands.addTask({ title: 'Weed', projectId: project.id, sectionId: section.id });
  await store.settled();
  t.is((await script.delete(act(project.id, section.id))).status, 204);
  setOnline(true);
  await waitFor(() => store.waitingCount.value === 0, patience);
  const tasks = async () => (await script.get<{ items: Task[] }>('/tasks')).body.items;
  return { store, project, tasks };
}

test('what was added to a section that was deleted meanwhile is in its project', async (t) => {
  const { store, project, tasks } = await addOffline(
    t,
    (projectId, sectionId) => `/projects/${projectId}/sections/${sectionId}`,
  );
  t.deepEqual(store.notices.refusals.value, []);
  t.like((await tasks())[0], { title: 'Weed', projectId: project.id, sectionId: null });
});

test('what was added to a project that is in the Trash by then can go to the Inbox', async (t) => {
  const { store, tasks } = await addOffline(t, (projectId) => `/projects/${projectId}`);
  const [refusal] = store.notices.refusals.value;
  t.is(refusal?.message, 'Its project “Garden” is in the Trash.');
  store.retryRefused(refusal?.id ?? 0, true);
  await waitFor(() => store.views.inbox.value.length === 1 && store.waitingCount.value === 0, patience);
  t.like((await tasks())[0], { title: 'Weed', list: 'inbox' });
});
