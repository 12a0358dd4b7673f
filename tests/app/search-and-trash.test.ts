import test from 'ava';
import type { AppProject, AppSearchResponse, AppTrashPage } from '#shared/app/app-protocol.ts';
import type { Problem } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { createWebApps, type WebAppClient } from './web-app-client.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const webApps = await createWebApps(stack);

test.after.always(stack.close);

const search = async (client: WebAppClient, q: string) => {
  const path = `/search?q=${encodeURIComponent(q)}`;
  const { tasks, projects } = (await client.app.get<AppSearchResponse>(path)).body;
  return [...tasks, ...projects].map(({ title }) => title);
};

test('a search finds every word in titles and notes, titles first, and closed tasks too', async (t) => {
  const client = await webApps.open();
  await makeTask(client, { title: 'In notes', description: 'the red bicycle' });
  const done = await makeTask(client, { title: 'Red BICYCLE done' });
  await client.post(`/tasks/${done.id}/complete`);
  await makeTask(client, { title: 'Red bicycle' });
  const trashed = await makeTask(client, { title: 'Red bicycle in the Trash' });
  await client.delete(`/tasks/${trashed.id}`);
  await makeTask(client, { title: 'Red car' });
  await makeProject(client, { title: '100 % red bicycle' });
  await makeTask(await webApps.open(), { title: 'Red bicycle of another account' });
  t.deepEqual(await search(client, ' bicycle  red'), [
    'Red bicycle',
    'Red BICYCLE done',
    'In notes',
    '100 % red bicycle',
  ]);
  t.deepEqual(await search(client, '100 % red'), ['100 % red bicycle']);
  t.deepEqual(await search(client, 'réd bi-cycle done'), ['Red BICYCLE done']);
  t.deepEqual(await search(client, '  '), []);
  t.is((await client.app.get<Problem>('/search')).status, 400);
  t.is((await client.app.get<Problem>(`/search?q=${'x'.repeat(201)}`)).status, 400);
});

test('the Trash shows projects with the number of their tasks, and pages of tasks, newest first', async (t) => {
  const client = await webApps.open();
  const project = await makeProject(client, { title: 'Gone' });
  for (const title of ['one', 'two']) await makeTask(client, { title, projectId: project.id });
  await client.delete(`/projects/${project.id}`);
  const titles = Array.from({ length: 53 }, (_, index) => `Task ${index}`);
  for (const title of titles) {
    const { id } = await makeTask(client, { title });
    await client.delete(`/tasks/${id}`);
  }
  const read = async (query = '') => (await client.app.get<AppTrashPage>(`/trash${query}`)).body;
  const first = await read();
  t.like(first.projects, { length: 1, 0: { title: 'Gone', taskCount: 2, inTrash: true } });
  const second = await read(`?cursor=${first.nextCursor}`);
  t.deepEqual(second.projects, []);
  t.is(second.nextCursor, null);
  const shown = [...first.tasks, ...second.tasks].map(({ title }) => title);
  t.deepEqual(shown, titles.toReversed());
  t.is((await client.app.get('/trash?cursor=x')).status, 400);
});

test('a project comes back with its tasks, as far as the plan has room', async (t) => {
  const client = await webApps.open({ plan: 'free' });
  const project = await makeProject(client, { title: 'Back' });
  const task = await makeTask(client, { projectId: project.id });
  await client.delete(`/projects/${project.id}`);
  for (let count = 0; count < 5; count += 1) await makeProject(client);
  const restore = () => client.app.post<Problem>(`/projects/${project.id}/restore`);
  const refused = await restore();
  t.deepEqual([refused.status, refused.body.errorCode], [403, 'project_limit_reached']);
  await stack.setPlan(client.account, 'premium');
  t.like(await restore(), { status: 200, body: { title: 'Back', inTrash: false } as Partial<AppProject> });
  t.like(await client.get(`/tasks/${task.id}`), { body: { inTrash: false, projectId: project.id } });
});
