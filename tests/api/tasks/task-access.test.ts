import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid, expectRefusal } from './expect-refusal.ts';
import { readTask } from './task-requests.ts';

const stack = await startStack(test);

type Call = [method: string, path: string, body?: object];

const readCalls = (id: string): Call[] => [
  ['GET', '/tasks'],
  ['GET', `/tasks/${id}`],
];

const changeCalls = (id: string): Call[] => [
  ['PATCH', `/tasks/${id}`, { title: 'Changed' }],
  ['POST', `/tasks/${id}/move`, { list: 'someday' }],
  ['POST', `/tasks/${id}/complete`],
  ['POST', `/tasks/${id}/uncomplete`],
  ['POST', `/tasks/${id}/cancel`],
  ['POST', `/tasks/${id}/uncancel`],
  ['POST', `/tasks/${id}/restore`],
  ['DELETE', `/tasks/${id}`],
];

test('a token that may only read can list and fetch tasks and change nothing', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api);
  const reader = stack.client(await stack.createToken(api.account, { scopes: ['read'] }));
  for (const [method, path] of readCalls(task.id)) t.is((await reader.request(method, path)).status, 200);
  for (const [method, path, body] of [['POST', '/tasks', { title: 'x' }] as Call, ...changeCalls(task.id)]) {
    expectRefusal(t, await reader.request(method, path, { body }), 'insufficient_scope', `${method} ${path}`);
  }
  t.deepEqual(await readTask(api, task.id), task);
});

test('a token that may only write can do every change and read nothing', async (t) => {
  const api = await stack.newClient({ scopes: ['write'] });
  const task = await makeTask(api);
  for (const [method, path] of readCalls(task.id)) {
    expectRefusal(t, await api.request(method, path), 'insufficient_scope', `${method} ${path}`);
  }
  for (const [method, path, body] of changeCalls(task.id)) {
    t.true((await api.request(method, path, { body })).status < 300, `${method} ${path}`);
  }
});

test('the tasks of a suspended account can be read; every change is refused before it is looked at', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api);
  await stack.setStatus(api.account, 'suspended');
  for (const [method, path] of readCalls(task.id)) t.is((await api.request(method, path)).status, 200);
  for (const id of [task.id, randomUUID()]) {
    for (const [method, path] of [['POST', '/tasks'] as Call, ...changeCalls(id)]) {
      const answer = await api.request(method, path, { body: { nonsense: true } });
      expectRefusal(t, answer, 'account_suspended', `${method} ${path}`);
    }
  }
  await stack.setStatus(api.account, 'active');
  t.deepEqual(await readTask(api, task.id), task);
});

test('missing, foreign and malformed ids are answered alike, and a foreign task stays untouched', async (t) => {
  const owner = await stack.newClient();
  const stranger = await stack.newClient();
  const task = await makeTask(owner);
  const bodies = new Set<string>();
  for (const id of [randomUUID(), task.id, 'nonsense', '%00', `${task.id}x`]) {
    const calls: Call[] = [['GET', `/tasks/${id}`], ...changeCalls(id)];
    for (const [method, path, body] of calls) {
      const answer = await stranger.request(method, path, { body });
      expectRefusal(t, answer, 'not_found', `${method} ${path}`);
      bodies.add(JSON.stringify({ ...answer.body, requestId: '' }));
    }
  }
  t.is(bodies.size, 1);
  t.deepEqual(await readTask(owner, task.id), task);
  t.deepEqual((await stranger.get('/tasks?view=all')).body.items, []);
});

test('a body that is not valid is refused before the task is looked for', async (t) => {
  const api = await stack.newClient();
  const missing = `/tasks/${randomUUID()}`;
  expectInvalid(t, await api.patch('/tasks/nonsense', { title: ' ' }), ['title']);
  expectInvalid(t, await api.patch(missing, { title: ' ' }), ['title']);
  expectInvalid(t, await api.patch(missing, { dueDate: null, reminderTime: '09:00' }), ['reminderTime']);
  expectInvalid(t, await api.post(`${missing}/move`, { list: 'project' }), ['list']);
  expectInvalid(t, await api.post(`${missing}/move`), ['body']);
  expectInvalid(t, await api.post(`${missing}/complete`, { at: 'now' }), ['at']);
});

test('a project that is not there is noticed before the plan, and the plan before a closed project', async (t) => {
  const api = await stack.newClient();
  const dated = { title: 'Task', deadlineDate: '2026-12-01' };
  const project = await makeProject(api);
  await api.post(`/projects/${project.id}/complete`);
  expectInvalid(t, await api.post('/tasks', { ...dated, projectId: randomUUID(), title: '' }), ['title']);
  expectRefusal(t, await api.post('/tasks', { ...dated, projectId: randomUUID() }), 'not_found');
  expectRefusal(t, await api.post('/tasks', { ...dated, projectId: project.id }), 'premium_required');
  await stack.setPlan(api.account, 'premium');
  expectRefusal(t, await api.post('/tasks', { ...dated, projectId: project.id }), 'invalid_state');
});

test('operations without fields take no body or an empty object, and refuse a field by name', async (t) => {
  const api = await stack.newClient();
  for (const name of ['complete', 'uncomplete', 'cancel', 'uncancel', 'restore']) {
    const { id } = await makeTask(api);
    expectInvalid(t, await api.post(`/tasks/${id}/${name}`, { completedAt: null }), ['completedAt'], name);
    t.is((await api.post(`/tasks/${id}/${name}`, {})).status, 200, name);
    t.is((await api.post(`/tasks/${id}/${name}`)).status, 200, name);
  }
  const { id } = await makeTask(api);
  expectInvalid(t, await api.request('DELETE', `/tasks/${id}`, { body: { forever: true } }), ['forever']);
  t.is((await api.request('DELETE', `/tasks/${id}`, { body: {} })).status, 204);
});

test('a method that a path of tasks does not know is answered with those it knows', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api);
  for (const [method, path, allowed] of [
    ['PUT', `/tasks/${id}`, ['DELETE', 'GET', 'HEAD', 'PATCH']],
    ['DELETE', '/tasks', ['GET', 'HEAD', 'POST']],
    ['GET', `/tasks/${id}/complete`, ['POST']],
  ] as const) {
    const answer = await api.request(method, path);
    t.like(answer, { status: 405, body: { errorType: 'not_found', errorCode: 'method_not_allowed' } });
    t.deepEqual(answer.headers.get('Allow')?.split(', ').sort(), [...allowed]);
  }
});
