import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page, Problem, Project } from '#tests/support/api-types.ts';
import { makeArea, makeProject } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

async function makeProjects(api: ApiClient, count: number): Promise<Project[]> {
  const projects: Project[] = [];
  while (projects.length < count) projects.push(await makeProject(api));
  return projects;
}

const create = (api: ApiClient) => api.post<Problem>('/projects', { title: 'One more' });

test('the sixth project of a free account is refused, and the message states the limit', async (t) => {
  const api = await stack.newClient();
  const projects = await makeProjects(api, 5);
  const refused = await create(api);
  t.like(refused, { status: 403, body: { errorType: 'plan_limit', errorCode: 'project_limit_reached' } });
  t.regex(refused.body.message, /\b5\b/);
  t.deepEqual((await api.get<Page<Project>>('/projects')).body.items, projects);
});

test('completed, cancelled and trashed projects do not count', async (t) => {
  const api = await stack.newClient();
  const [completed, cancelled, trashed] = await makeProjects(api, 5);
  await api.post(`/projects/${completed?.id}/complete`);
  t.is((await create(api)).status, 201);
  await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = now() where id = ${cancelled?.id}`;
  t.is((await create(api)).status, 201);
  await api.delete(`/projects/${trashed?.id}`);
  t.is((await create(api)).status, 201);
  t.is((await create(api)).status, 403);
});

test('a completed project can’t be made active again at the cap', async (t) => {
  const api = await stack.newClient();
  const [project] = await makeProjects(api, 1);
  await api.post(`/projects/${project?.id}/complete`);
  const [other] = await makeProjects(api, 5);
  const refused = await api.post<Problem>(`/projects/${project?.id}/uncomplete`);
  t.like(refused, { status: 403, body: { errorType: 'plan_limit', errorCode: 'project_limit_reached' } });
  t.is((await api.get<Project>(`/projects/${project?.id}`)).body.status, 'completed');
  t.is((await api.post(`/projects/${other?.id}/uncomplete`)).status, 200);
  await api.delete(`/projects/${other?.id}`);
  t.is((await api.post(`/projects/${project?.id}/uncomplete`)).status, 200);
  t.is((await create(api)).status, 403);
});

test('Premium lifts the cap, and projects beyond it outlive Premium', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const [project] = await makeProjects(api, 7);
  await stack.setPlan(api.account, 'free');
  t.is((await create(api)).status, 403);
  t.is((await api.patch(`/projects/${project?.id}`, { title: 'Still mine' })).status, 200);
  t.is((await api.post(`/projects/${project?.id}/complete`)).status, 200);
  t.is((await api.post(`/projects/${project?.id}/uncomplete`)).status, 403);
  await stack.setPlan(api.account, 'premium');
  t.is((await create(api)).status, 201);
});

test('a faulty project is refused for its fault before the cap is looked at', async (t) => {
  const api = await stack.newClient();
  await makeProjects(api, 5);
  const area = await makeArea(await stack.newClient());
  t.is((await api.post('/projects', { title: ' ' })).status, 400);
  t.is((await api.post('/projects', { title: 'x', areaId: area.id })).status, 400);
});

test('50 parallel creations on a free account leave exactly 5 projects', async (t) => {
  const api = await stack.newClient();
  const answers = await Promise.all(Array.from({ length: 50 }, () => create(api)));
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  t.deepEqual([count(201), count(403)], [5, 45]);
  t.is((await api.get<Page<Project>>('/projects')).body.items.length, 5);
});

test('creations, reopenings and completions in parallel never exceed the cap', async (t) => {
  const api = await stack.newClient();
  const completed = await makeProjects(api, 5);
  for (const { id } of completed) await api.post(`/projects/${id}/complete`);
  const reopenings = completed.map(({ id }) => api.post(`/projects/${id}/uncomplete`));
  const creations = Array.from({ length: 10 }, () => create(api));
  const answers = await Promise.all([...creations, ...reopenings]);
  t.is(answers.filter(({ status }) => status < 300).length, 5);
  t.is((await api.get<Page<Project>>('/projects?status=active')).body.items.length, 5);
});
