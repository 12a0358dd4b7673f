import { randomUUID } from 'node:crypto';
import test from 'ava';
import { restoreProject } from '#resource-api/admin/project-admin.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Project, Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

const restore = ({ account }: AccountClient, projectId: string): Promise<unknown> =>
  restoreProject(stack.databaseUrl, { accountId: account.accountId, projectId });

test('the operator’s restore brings a project back with the tasks that went to the Trash with it', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api, { description: '*notes*' });
  const section = await makeSection(api, project.id);
  const inside = await makeTask(api, { sectionId: section.id });
  const trashedBefore = await makeTask(api, { projectId: project.id });
  await api.delete(`/tasks/${trashedBefore.id}`);
  await api.delete(`/projects/${project.id}`);

  const restored = await restore(api, project.id);

  const { body } = await api.get<Project>(`/projects/${project.id}`);
  t.deepEqual(body, restored);
  t.deepEqual(body, { ...project, sections: [section], updatedAt: body.updatedAt });
  t.true(body.updatedAt > trashedBefore.updatedAt);
  t.deepEqual((await api.get<Task>(`/tasks/${inside.id}`)).body, { ...inside, updatedAt: body.updatedAt });
  t.true((await api.get<Task>(`/tasks/${trashedBefore.id}`)).body.inTrash);
});

test('restoring a project outside the Trash returns it unchanged', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  t.deepEqual(await restore(api, project.id), project);
  t.deepEqual((await api.get<Project>(`/projects/${project.id}`)).body, project);
});

test('a restored project has lost the area that was deleted meanwhile', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const project = await makeProject(api, { areaId: area.id });
  await api.delete(`/projects/${project.id}`);
  await api.delete(`/areas/${area.id}`);
  t.like(await restore(api, project.id), { id: project.id, areaId: null, inTrash: false });
});

test('a project is found for its own account alone', async (t) => {
  const api = await stack.newClient();
  const stranger = await stack.newClient();
  const project = await makeProject(api);
  await api.delete(`/projects/${project.id}`);
  const requests = [
    { accountId: stranger.account.accountId, projectId: project.id },
    { accountId: api.account.accountId, projectId: randomUUID() },
    { accountId: randomUUID(), projectId: project.id },
  ];
  for (const request of requests) {
    const error = await t.throwsAsync(restoreProject(stack.databaseUrl, request), { instanceOf: AppError });
    t.is(error.code, 'not_found');
  }
  t.is((await api.get(`/projects/${project.id}`)).status, 404);
});

test('an active project that the free cap has no room for stays in the Trash; a completed one comes back', async (t) => {
  const api = await stack.newClient();
  const completed = await makeProject(api);
  await api.post(`/projects/${completed.id}/complete`);
  const active = await makeProject(api);
  for (const { id } of [completed, active]) await api.delete(`/projects/${id}`);
  const [other] = await Promise.all(Array.from({ length: 5 }, () => makeProject(api)));

  const error = await t.throwsAsync(restore(api, active.id), { instanceOf: AppError });
  t.is(error.code, 'project_limit_reached');
  t.is((await api.get(`/projects/${active.id}`)).status, 404);
  t.like(await restore(api, completed.id), { status: 'completed', inTrash: false });

  await api.delete(`/projects/${other?.id}`);
  t.like(await restore(api, active.id), { status: 'active', inTrash: false });
});

test('the projects of a suspended account stay as they are', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  await api.delete(`/projects/${project.id}`);
  await stack.setStatus(api.account, 'suspended');
  const error = await t.throwsAsync(restore(api, project.id), { instanceOf: AppError });
  t.is(error.code, 'account_suspended');
});
