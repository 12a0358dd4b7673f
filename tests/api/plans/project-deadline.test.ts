import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Page, Problem, Project } from '#tests/support/api-types.ts';
import { makeProject } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

const premiumRequired = { status: 403, body: { errorType: 'plan_limit', errorCode: 'premium_required' } };

test('a free account can’t create a project with a deadline, and the message says why', async (t) => {
  const api = await stack.newClient();
  const answer = await api.post<Problem>('/projects', { title: 'Move', deadlineDate: '2027-01-01' });
  t.like(answer, premiumRequired);
  t.regex(answer.body.message, /Premium/);
  t.deepEqual((await api.get<Page<Project>>('/projects')).body.items, []);
  t.is((await api.post('/projects', { title: 'Move', deadlineDate: null })).status, 201);
});

test('a free account can’t set a deadline on a project, and the rest of the patch is not applied either', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const patch = { title: 'Moved', deadlineDate: '2027-01-01' };
  t.like(await api.patch<Problem>(`/projects/${project.id}`, patch), premiumRequired);
  t.deepEqual((await api.get<Project>(`/projects/${project.id}`)).body, project);
});

test('a free account may keep, re-send and clear a deadline from its Premium days, and not change it', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const project = await makeProject(api, { deadlineDate: '2027-01-01' });
  const path = `/projects/${project.id}`;
  await stack.setPlan(api.account, 'free');

  t.is((await api.patch<Project>(path, { title: 'Moved' })).body.deadlineDate, '2027-01-01');
  t.is((await api.patch<Project>(path, { deadlineDate: '2027-01-01' })).body.deadlineDate, '2027-01-01');
  t.like(await api.patch<Problem>(path, { deadlineDate: '2027-01-02' }), premiumRequired);
  t.is((await api.get<Project>(path)).body.deadlineDate, '2027-01-01');
  await api.post(`${path}/complete`);
  t.is((await api.post<Project>(`${path}/uncomplete`)).body.deadlineDate, '2027-01-01');
  t.is((await api.patch<Project>(path, { deadlineDate: null })).body.deadlineDate, null);
  t.like(await api.patch<Problem>(path, { deadlineDate: '2027-01-01' }), premiumRequired);
});

test('a missing project and a faulty date are told before the plan is looked at', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  t.is((await api.patch(`/projects/${randomUUID()}`, { deadlineDate: '2027-01-01' })).status, 404);
  t.is((await api.patch(`/projects/${project.id}`, { deadlineDate: '2027-13-01' })).status, 400);
  t.is(
    (await api.patch(`/projects/${project.id}`, { deadlineDate: '2027-01-01', areaId: randomUUID() })).status,
    400,
  );
});

test('Premium sets any date of the calendar, past ones and the year’s last ones included', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const project = await makeProject(api);
  for (const deadlineDate of ['0001-01-01', '1999-12-31', '2024-02-29', '9999-12-31']) {
    const { body } = await api.patch<Project>(`/projects/${project.id}`, { deadlineDate });
    t.is(body.deadlineDate, deadlineDate);
    t.is((await api.get<Project>(`/projects/${project.id}`)).body.deadlineDate, deadlineDate);
  }
});
