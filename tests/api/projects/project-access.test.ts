import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Problem, Project } from '#tests/support/api-types.ts';
import { makeProject, makeSection } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

const reads = (api: ApiClient, id: string) => [
  () => api.get<Problem>('/projects'),
  () => api.get<Problem>(`/projects/${id}`),
  () => api.get<Problem>(`/projects/${id}/sections`),
];

const writes = (api: ApiClient, id: string, sectionId: string) => [
  () => api.post<Problem>('/projects', { title: 'Other' }),
  () => api.patch<Problem>(`/projects/${id}`, { title: 'Other' }),
  () => api.post<Problem>(`/projects/${id}/sections`, { title: 'Other' }),
  () => api.patch<Problem>(`/projects/${id}/sections/${sectionId}`, { title: 'Other' }),
  () => api.delete<Problem>(`/projects/${id}/sections/${sectionId}`),
  () => api.post<Problem>(`/projects/${id}/complete`),
  () => api.post<Problem>(`/projects/${id}/uncomplete`),
  () => api.delete<Problem>(`/projects/${id}`),
];

test('a token that may only read reads projects and sections and changes none', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  const reader = stack.client(await stack.createToken(api.account, { scopes: ['read'] }));
  for (const read of reads(reader, project.id)) t.is((await read()).status, 200);
  for (const write of writes(reader, project.id, section.id)) {
    t.like(await write(), {
      status: 403,
      body: { errorType: 'authorization', errorCode: 'insufficient_scope' },
    });
  }
  t.deepEqual((await api.get<Project>(`/projects/${project.id}`)).body, { ...project, sections: [section] });
});

test('a token that may only write changes projects and sections and reads none', async (t) => {
  const api = await stack.newClient({ scopes: ['write'] });
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  for (const read of reads(api, project.id)) t.is((await read()).status, 403);
  for (const write of writes(api, project.id, section.id)) t.true((await write()).status < 300);
});

test('the projects and sections of a suspended account can be read and not changed', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  await stack.setStatus(api.account, 'suspended');
  for (const read of reads(api, project.id)) t.is((await read()).status, 200);
  for (const write of writes(api, project.id, section.id)) {
    t.like(await write(), { status: 423, body: { errorType: 'account', errorCode: 'account_suspended' } });
  }
});

test('nothing can be done without a token', async (t) => {
  const id = '00000000-0000-4000-8000-000000000000';
  for (const send of [...reads(stack.anonymous, id), ...writes(stack.anonymous, id, id)]) {
    t.like(await send(), { status: 401, body: { errorCode: 'token_missing' } });
  }
});
