import test from 'ava';
import type { Page, Problem, Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { createWebApps } from './web-app-client.ts';

const stack = await startStack(undefined, { now: '2026-11-26T09:00:00Z' });
const webApps = await createWebApps(stack);

test.after.always(stack.close);

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

test('the day is required, and means nothing to a task that does not repeat; the public operation refuses it', async (t) => {
  const browser = await webApps.open();
  const { id } = await makeTask(browser, { dueDate: '2026-11-26' });
  t.is((await browser.app.post(`/tasks/${id}/complete`)).status, 400);
  const publicly = await browser.post<Problem>(`/tasks/${id}/complete`, { occurrence: '2026-11-26' });
  t.deepEqual(Object.keys(publicly.body.errors ?? {}), ['occurrence']);
  t.is((await browser.app.post(`/tasks/${id}/complete`, { occurrence: '2026-11-20' })).status, 200);
});

test('a request that is repeated with its key is answered as before', async (t) => {
  const browser = await webApps.open();
  const { id } = await makeTask(browser, { dueDate: '2026-11-26', recurrence: daily });
  const headers = { 'Idempotency-Key': 'once' };
  const complete = () =>
    browser.app.post<Task>(`/tasks/${id}/complete`, { occurrence: '2026-11-26' }, { headers });
  t.is((await complete()).body.dueDate, '2026-11-27');
  t.like(await complete(), { status: 200, body: { dueDate: '2026-11-27' } });
});

test('a task that is reopened repeats as it did before it was cancelled; the public operation leaves it single', async (t) => {
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
