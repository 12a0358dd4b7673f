import test from 'ava';
import type { Identity, Page, Problem, Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { startWebApps, type WebAppClient } from './web-app-client.ts';

const { stack, webApps } = await startWebApps(test, startStack(undefined, { now: '2026-11-26T09:00:00Z' }));

const daily = { frequency: 'daily' } as const;

for (const act of ['complete', 'skip'] as const) {
  test(`two devices that ${act} the same occurrence in the same instant ${act} it once`, async (t) => {
    const browser = await webApps.open();
    const { id } = await makeTask(browser, { dueDate: '2026-11-26', recurrence: daily });
    const path = `/tasks/${id}/${act}`;
    const devices = [1, 2].map(() => browser.app.post<Task & Problem>(path, { occurrence: '2026-11-26' }));
    const [done, late] = (await Promise.all(devices)).toSorted((a, b) => a.status - b.status);
    t.like(done, { status: 200, body: { id, status: 'open', dueDate: '2026-11-27' } });
    t.like(late, { status: 409, body: { errorCode: 'invalid_state' } });
    t.regex(late?.body.message ?? '', /on 2026-11-27 now, not on 2026-11-26: that occurrence was completed/);
    t.is((await browser.get<Task>(`/tasks/${id}`)).body.dueDate, '2026-11-27');
    const logged = await browser.get<Page<Task>>('/tasks?view=logbook');
    t.is(logged.body.items.length, act === 'complete' ? 1 : 0);
  });
}

test('an occurrence without a day is completed once; the last one of a series stays completed', async (t) => {
  const browser = await webApps.open();
  const { id } = await makeTask(browser, { recurrence: { ...daily, until: '2026-11-27' } });
  const complete = async (occurrence: string | null) =>
    (await browser.app.post(`/tasks/${id}/complete`, { occurrence })).status;
  t.deepEqual([await complete(null), await complete(null)], [200, 409]);
  t.deepEqual([await complete('2026-11-27'), await complete('2026-11-27')], [200, 200]);
  t.like((await browser.get<Task>(`/tasks/${id}`)).body, { status: 'completed' });
});

test('the day is required, ignored without a repeat, and refused by the public operation', async (t) => {
  const browser = await webApps.open();
  const { id } = await makeTask(browser, { dueDate: '2026-11-26' });
  t.is((await browser.app.post(`/tasks/${id}/complete`)).status, 400);
  const publicly = await browser.post<Problem>(`/tasks/${id}/complete`, { occurrence: '2026-11-26' });
  t.deepEqual(Object.keys(publicly.body.errors ?? {}), ['occurrence']);
  t.is((await browser.app.post(`/tasks/${id}/complete`, { occurrence: '2026-11-20' })).status, 200);
});

test('a reopened task repeats as before; the public operation leaves it without a repeat', async (t) => {
  const browser = await webApps.open();
  const { id } = await makeTask(browser, { dueDate: '2026-11-26', recurrence: daily });
  await browser.app.post(`/tasks/${id}/complete`, { occurrence: '2026-11-26' });
  await browser.post(`/tasks/${id}/cancel`);
  const reopen = () => browser.app.post<Task>(`/tasks/${id}/reopen`);
  t.like((await reopen()).body, { status: 'open', dueDate: '2026-11-27', recurrence: daily });
  t.like(await reopen(), { status: 200, body: { status: 'open', recurrence: daily } });
  const next = await browser.app.post<Task>(`/tasks/${id}/complete`, { occurrence: '2026-11-27' });
  t.is(next.body.dueDate, '2026-11-28');
  await browser.post(`/tasks/${id}/cancel`);
  t.like((await browser.post<Task>(`/tasks/${id}/uncancel`)).body, { status: 'open', recurrence: null });
  t.is((await browser.app.post(`/tasks/${crypto.randomUUID()}/reopen`)).status, 404);
});

/** A project with two open tasks, one that is closed, and one in the Trash. */
async function openWithProject() {
  const browser = await webApps.open();
  const { id } = await makeProject(browser);
  const [first, second, closed, trashed] = await Promise.all(
    [1, 2, 3, 4].map(async () => (await makeTask(browser, { projectId: id })).id),
  );
  await browser.post(`/tasks/${closed}/cancel`);
  await browser.delete(`/tasks/${trashed}`);
  const complete = (asked: unknown, completeChildTasks = true) =>
    browser.app.post<Project & Problem>(`/projects/${id}/complete`, { completeChildTasks, asked });
  const statusOf = async (task = '') => (await browser.get<Task>(`/tasks/${task}`)).body.status;
  return { browser, id, first, second, complete, statusOf };
}

test('a project with open tasks that were not asked about stays open, with all of them', async (t) => {
  const { browser, id, first, second, complete, statusOf } = await openWithProject();
  const refused = await complete([first]);
  t.like(refused, { status: 409, body: { errorCode: 'invalid_state' } });
  t.is(refused.body.message, 'The project stays open: 1 open task has come into it meanwhile.');
  t.regex((await complete([])).body.message ?? '', /2 open tasks have come/);
  t.is((await browser.get<Project>(`/projects/${id}`)).body.status, 'active');
  t.deepEqual([await statusOf(first), await statusOf(second)], ['open', 'open']);
});

for (const completeChildTasks of [true, false]) {
  const status = completeChildTasks ? 'completed' : 'cancelled';
  test(`a project is completed with the given tasks, without those that are gone: ${status}`, async (t) => {
    const { browser, first, second, complete, statusOf } = await openWithProject();
    const elsewhere = await makeTask(browser, {});
    const gone = Array.from({ length: 9_997 }, () => crypto.randomUUID());
    const asked = [second, first, elsewhere.id, ...gone];
    t.like(await complete(asked, completeChildTasks), { status: 200, body: { status: 'completed' } });
    t.deepEqual([await statusOf(first), await statusOf(second)], [status, status]);
    t.is(await statusOf(elsewhere.id), 'open');
    // Nothing is left to close.
    t.is((await complete([])).status, 200);
  });
}

test('the tasks are required; the public operation knows none and closes what is open', async (t) => {
  const { browser, id, first, complete, statusOf } = await openWithProject();
  t.is((await complete(undefined)).status, 400);
  t.is((await complete(['x'])).status, 400);
  const publicly = await browser.post<Problem>(`/projects/${id}/complete`, { asked: [] });
  t.deepEqual(Object.keys(publicly.body.errors ?? {}), ['asked']);
  t.is((await browser.post(`/projects/${id}/complete`)).status, 200);
  t.is(await statusOf(first), 'cancelled');
});

for (const [kind, make] of [
  ['tasks', makeTask],
  ['projects', makeProject],
] as const) {
  test(`a change that was made on another version changes nothing: ${kind}`, async (t) => {
    const browser = await webApps.open();
    const { id, updatedAt } = await make(browser, { title: 'Draft', description: 'Before' });
    const path = `/${kind}/${id}`;
    const change = (on: string, patch: object) =>
      browser.app.patch<Task & Project & Problem>(path, { updatedAt: on, patch });
    const mine = await change(updatedAt, { description: 'Mine' });
    t.like(mine, { status: 200, body: { description: 'Mine', descriptionHtml: '<p>Mine</p>' } });
    const late = await change(updatedAt, { description: 'Theirs', title: 'Theirs' });
    t.like(late, { status: 409, body: { errorCode: 'version_changed' } });
    t.like((await browser.get<Task>(path)).body, { title: 'Draft', description: 'Mine' });
    t.is((await change(mine.body.updatedAt, { description: null })).status, 200);
    t.is((await change('yesterday', { title: 'x' })).status, 400);
    t.is((await change(updatedAt, { id: 'x' })).status, 400);
    t.is((await browser.app.patch(path, { title: 'x' })).status, 400);
    t.is((await browser.app.patch(`/${kind}/${crypto.randomUUID()}`, { updatedAt, patch: {} })).status, 404);
    const { body } = await browser.app.patch<Problem>(path, { updatedAt, patch: { title: ' ' } });
    t.deepEqual(body.errors, { title: ['title must not be blank'] });
  });
}

test('the web app may call the public API, with one token id in all browsers of an account', async (t) => {
  const first = await webApps.open();
  const second = await webApps.open({ account: first.account });
  const identities = await Promise.all([first, second].map((browser) => browser.get<Identity>('/me')));
  const { accountId } = first.account;
  for (const { body } of identities) t.like(body, { accountId, scopes: ['read', 'write'] });
  t.is(identities[0]?.body.tokenId, identities[1]?.body.tokenId);
});

test('a browser repeats with its idempotency key what another browser of the account did', async (t) => {
  const first = await webApps.open();
  const second = await webApps.open({ account: first.account });
  const { id } = await makeTask(first, { dueDate: '2026-11-26', recurrence: daily });
  const headers = { 'Idempotency-Key': 'once' };
  const complete = ({ app }: WebAppClient) =>
    app.post<Task>(`/tasks/${id}/complete`, { occurrence: '2026-11-26' }, { headers });
  const done = await complete(first);
  t.is(done.body.dueDate, '2026-11-27');
  await first.endSession();
  const repeated = await complete(second);
  t.deepEqual(repeated.body, done.body);
  t.is(repeated.headers.get('idempotency-replayed'), 'true');
});

test('a session that has expired is refused', async (t) => {
  const browser = await webApps.open();
  await stack.sql`update auth.browser_session set expires_at = ${stack.clock.now()}
    where id = ${browser.sessionId}`;
  t.is((await browser.get('/me')).status, 401);
});

test('a token of the web app for the session of another account is refused', async (t) => {
  const [victim, thief] = [await webApps.open(), await webApps.open()];
  const { accountId } = victim.account;
  const token = await webApps.issuer.issue({
    accountId,
    grantId: thief.sessionId,
    clientId: 'first-party-app',
  });
  t.is((await stack.client(token).get('/me')).status, 401);
});
