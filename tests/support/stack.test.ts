import test from 'ava';
import type { Identity, Page, Problem, Task } from './api-types.ts';
import { makeArea, makeProject, makeSection, makeTask, makeTasks } from './factories.ts';
import { startStack } from './stack.ts';

const stack = await startStack(test);

test('a new client acts for an account of its own', async (t) => {
  const [one, other] = [
    await stack.newClient(),
    await stack.newClient({ plan: 'premium', scopes: ['read'] }),
  ];
  const task = await makeTask(one);
  t.is((await one.get<Task>(`/tasks/${task.id}`)).body.title, task.title);
  t.is((await other.get(`/tasks/${task.id}`)).status, 404);
  const identity = await other.get<Identity>('/me');
  t.like(identity.body, { plan: 'premium', scopes: ['read'], tokenId: other.token.tokenId });
});

test('factories make what a test does not name', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const project = await makeProject(api, { areaId: area.id });
  const section = await makeSection(api, project.id);
  const tasks = await makeTasks(api, 3, { sectionId: section.id });
  const { body } = await api.get<Page<Task>>(`/projects/${project.id}/tasks`);
  t.deepEqual(
    body.items.map(({ id }) => id),
    tasks.map(({ id }) => id).toReversed(),
  );
});

test('a factory says why the service refused', async (t) => {
  const api = await stack.newClient({ scopes: ['read'] });
  await t.throwsAsync(makeTask(api), { message: /403 .*insufficient_scope/ });
});

test('rows can be looked at', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api, { title: 'It is «quoted»?' });
  const rows = await stack.sql<{ title: string }>`select title from tasks.task where id = ${id}`;
  t.deepEqual(rows, [{ title: 'It is «quoted»?' }]);
});

test('tokens expire by the clock of the stack, and are revoked at once', async (t) => {
  const own = await startStack(t, { now: '2026-11-16T12:00:00Z' });
  const account = await own.createAccount();
  const expiring = await own.createToken(account, { expiresAt: new Date('2026-11-16T13:00:00Z') });
  const lasting = await own.createToken(account);
  t.is((await own.client(expiring).get('/tasks')).status, 200);
  own.clock.advance(3_600_000);
  t.is((await own.client(expiring).get('/tasks')).status, 401);
  t.is((await own.client(lasting).get('/tasks')).status, 200);
  await own.revokeToken(lasting);
  t.is((await own.client(lasting).get('/tasks')).status, 401);
});

test('limits are those a stack is started with', async (t) => {
  const limited = await startStack(t, { requestsPerTokenPerMinute: 2 });
  const api = await limited.newClient();
  // While Redis keeps a service waiting, the service counts by itself: so many requests are too many for both.
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.get<Problem>('/tasks')));
  const refused = answers.filter(({ status }) => status === 429);
  t.true(refused.length > 0);
  t.true(refused.every(({ body }) => body.errorCode === 'rate_limited'));
});

test('both services answer under one address when asked for', async (t) => {
  const both = await startStack(t, { withAuthServer: true });
  const api = await both.newClient();
  const exchanged = await both.anonymous.post<{ accessToken: string }>('/auth/token', {
    subjectToken: api.token.secret,
  });
  t.is(exchanged.status, 200);
  const identity = await both.client(exchanged.body.accessToken).get<Identity>('/me');
  t.is(identity.body.accountId, api.account.accountId);
  t.is((await both.site.get('/nowhere')).status, 404);
});

test('bytes that are no HTTP get an answer', async (t) => {
  const answer = await stack.anonymous.raw('GET /api/public/v1/tasks HTTP/1.1\r\nbroken header\r\n\r\n');
  t.is(answer.status, 400);
});
