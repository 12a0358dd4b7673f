import test from 'ava';
import type { Problem, Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { createWebApps } from './web-app-client.ts';

const stack = await startStack(undefined);
const webApps = await createWebApps(stack);

test.after.always(stack.close);

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
  test(`a project is completed with the tasks that were asked about, those gone meanwhile aside: ${status}`, async (t) => {
    const { browser, first, second, complete, statusOf } = await openWithProject();
    const elsewhere = await makeTask(browser, {});
    const asked = [second, first, elsewhere.id, crypto.randomUUID()];
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
