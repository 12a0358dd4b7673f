import { randomUUID } from 'node:crypto';
import test from 'ava';
import { commandHeader, type UndoResponse } from '#shared/app/app-protocol.ts';
import type { Page, Problem, Project, Task } from '#tests/support/api-types.ts';
import { insertTasks, makeArea, makeProject, makeTask, makeTasks } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { startWebApps, type WebAppClient } from './web-app-client.ts';

const { stack, webApps } = await startWebApps(test, startStack(undefined));

const undo = (browser: WebAppClient, ...stamps: (string | undefined)[]) =>
  browser.app.post<UndoResponse>('/undo', { stamps });

async function readTask(browser: WebAppClient, id: string | undefined): Promise<Task> {
  return (await browser.get<Task>(`/tasks/${id}`)).body;
}

test('of ten changes by a script nine are undone, and one that was changed since stays', async (t) => {
  const browser = await webApps.open();
  const script = stack.client(await stack.createToken(browser.account));
  const tasks = await makeTasks(browser, 10, { dueDate: '2026-12-03' });
  const stamps: string[] = [];
  for (const { id } of tasks)
    stamps.push((await script.patch<Task>(`/tasks/${id}`, { dueDate: '2026-12-24' })).body.updatedAt);
  const changed = tasks[4];
  await browser.patch(`/tasks/${changed?.id}`, { dueDate: '2026-12-05' });

  const { body: undone } = await undo(browser, ...stamps);
  t.is(undone.undone, 9);
  t.deepEqual(undone.kept, [
    {
      stamp: stamps[4] ?? '',
      entity: 'task',
      id: changed?.id ?? '',
      title: changed?.title ?? '',
      field: 'dueDate',
      reason: 'It was changed since.',
    },
  ]);
  const datesOf = async () =>
    (await browser.get<Page<Task>>('/tasks?view=someday')).body.items
      .map(({ dueDate }) => dueDate)
      .toSorted();
  t.deepEqual(await datesOf(), [...Array<string>(9).fill('2026-12-03'), '2026-12-05']);

  const { body: redone } = await undo(browser, ...undone.stamps);
  t.like(redone, { undone: 9, kept: [] });
  t.deepEqual(await datesOf(), ['2026-12-05', ...Array<string>(9).fill('2026-12-24')]);
});

test('fields go back one by one; those that belong together go together', async (t) => {
  const browser = await webApps.open();
  const [first, second] = [await makeProject(browser), await makeProject(browser)];
  const { id } = await makeTask(browser, { title: 'Old', projectId: first.id });
  const patched = await browser.patch<Task>(`/tasks/${id}`, { title: 'New', description: 'notes' });
  const moved = await browser.post<Task>(`/tasks/${id}/move`, { projectId: second.id });
  await browser.patch(`/tasks/${id}`, { title: 'Newest' });
  const { body } = await undo(browser, patched.body.updatedAt, moved.body.updatedAt);
  t.deepEqual(
    body.kept.map(({ field }) => field),
    ['title'],
  );
  t.like(await readTask(browser, id), {
    title: 'Newest',
    description: null,
    descriptionHtml: '',
    projectId: first.id,
  });
});

test('a date that is skipped goes back with its series, and keeps the end that was set since', async (t) => {
  const browser = await webApps.open();
  const recurrence = { frequency: 'monthly' } as const;
  const { id, dueDate } = await makeTask(browser, { dueDate: '2099-01-15', recurrence });
  const skipped = (await browser.post<Task>(`/tasks/${id}/skip`)).body;
  await browser.patch(`/tasks/${id}`, { recurrence: { until: '9999-12-31' } });
  t.like((await undo(browser, skipped.updatedAt)).body, { undone: 1, kept: [] });
  t.is((await readTask(browser, id)).dueDate, dueDate);
  const next = (await browser.post<Task>(`/tasks/${id}/skip`)).body;
  t.deepEqual([next.dueDate, next.recurrence?.until], [skipped.dueDate, '9999-12-31']);
  await browser.patch(`/tasks/${id}`, { recurrence: { interval: 2 } });
  t.like((await undo(browser, next.updatedAt)).body, { undone: 0, kept: [{ field: 'dueDate' }] });
});

test('a logged date that goes or comes back counts, also where its series was already there', async (t) => {
  const browser = await webApps.open();
  const recurrence = { frequency: 'daily' } as const;
  const { id, dueDate } = await makeTask(browser, { dueDate: '2099-01-15', recurrence });
  const logged = async () => (await browser.get<Page<Task>>('/tasks?view=logbook')).body.items.length;
  const completed = (await browser.post<Task>(`/tasks/${id}/complete`)).body;
  await browser.patch(`/tasks/${id}`, { dueDate, recurrence });
  t.like((await undo(browser, completed.updatedAt)).body, { undone: 1, kept: [] });
  t.is(await logged(), 0);
  const again = (await browser.post<Task>(`/tasks/${id}/complete`)).body;
  const { stamps } = (await undo(browser, again.updatedAt)).body;
  await browser.post(`/tasks/${id}/skip`);
  t.like((await undo(browser, ...stamps)).body, { undone: 1, kept: [] });
  t.is(await logged(), 1);
});

test('what was made goes to the Trash, unless somebody has worked on it', async (t) => {
  const browser = await webApps.open();
  const [made, edited] = await makeTasks(browser, 2);
  await browser.patch(`/tasks/${edited?.id}`, { title: 'Mine now' });
  const { body } = await undo(browser, made?.createdAt, edited?.createdAt);
  t.is(body.undone, 1);
  t.like(body.kept[0], { id: edited?.id, field: null });
  t.true((await readTask(browser, made?.id)).inTrash);
  t.false((await readTask(browser, edited?.id)).inTrash);
  const project = await makeProject(browser);
  await makeTask(browser, { projectId: project.id });
  t.deepEqual((await undo(browser, project.createdAt)).body.kept[0]?.reason, 'It has tasks.');
});

test('limits of the plan hold: what they do not allow stays, with their words', async (t) => {
  const browser = await webApps.open({ plan: 'premium' });
  const areas = [await makeArea(browser), await makeArea(browser)];
  const project = await makeProject(browser, { areaId: areas[0]?.id ?? null, deadlineDate: '2026-12-01' });
  const cleared = (await browser.patch<Project>(`/projects/${project.id}`, { deadlineDate: null })).body;
  await browser.delete(`/areas/${areas[0]?.id}`);
  const { updatedAt } = (await browser.get<Project>(`/projects/${project.id}`)).body;
  await makeArea(browser);
  await stack.setPlan(browser.account, 'free');
  const { body } = await undo(browser, updatedAt, cleared.updatedAt);
  t.is(body.undone, 0);
  t.deepEqual(
    body.kept.map(({ entity, field }) => `${entity} ${field}`),
    ['area null', 'project areaId', 'project deadlineDate'],
  );
  t.regex(body.kept[0]?.reason ?? '', /free plan allows 2 areas/);
  t.regex(body.kept[2]?.reason ?? '', /Premium/);
});

test('a project comes back with its tasks only while the plan has room for it', async (t) => {
  const browser = await webApps.open();
  const project = await makeProject(browser);
  const [task] = await makeTasks(browser, 2, { projectId: project.id });
  await browser.post(`/projects/${project.id}/complete`);
  const { updatedAt } = await readTask(browser, task?.id);
  for (let count = 0; count < 5; count += 1) await makeProject(browser);
  const { body } = await undo(browser, updatedAt);
  t.deepEqual([body.undone, body.kept.length], [0, 3]);
  t.regex(body.kept[0]?.reason ?? '', /free plan allows 5 active projects/);
  t.is(body.kept[1]?.reason, 'Its project is completed.');
  await stack.setPlan(browser.account, 'premium');
  t.like((await undo(browser, updatedAt)).body, { undone: 3, kept: [] });
  t.is((await readTask(browser, task?.id)).status, 'open');
});

test('of very much that stays 500 entries are listed, and all records counted', async (t) => {
  const browser = await webApps.open();
  const { id } = await makeProject(browser);
  await insertTasks(stack, browser.account, 600, { projectId: id });
  const { updatedAt } = (await browser.post<Project>(`/projects/${id}/complete`)).body;
  for (let count = 0; count < 5; count += 1) await makeProject(browser);
  const { body } = await undo(browser, updatedAt);
  t.like(body, { undone: 0, kept: { length: 500 }, keptRecords: 601 });
});

test('of a change that is larger than the history, what stays is told', async (t) => {
  const browser = await webApps.open();
  const { accountId } = browser.account;
  const { id: areaId } = await makeArea(browser);
  const [{ id }] = [await makeProject(browser, { areaId }), await makeProject(browser, { areaId })];
  await browser.delete(`/areas/${areaId}`);
  const { updatedAt } = (await browser.get<Project>(`/projects/${id}`)).body;
  await stack.sql`delete from tasks.change_history where account_id = ${accountId} and sequence <= (
    select min(sequence) from tasks.change_history
    where account_id = ${accountId} and changed_at = ${updatedAt})`;
  await stack.sql`update tasks.account_feed set last_sequence = last_sequence + 100000
    where account_id = ${accountId}`;
  const { undone, kept } = (await undo(browser, updatedAt)).body;
  t.is(undone, 2);
  t.like(kept, [{ stamp: updatedAt, entity: 'project', field: null }]);
  t.regex(kept[0]?.reason ?? '', /no history is kept/);
});

test('a command of several requests is undone as one; one without changes has no undo', async (t) => {
  const browser = await webApps.open();
  const command = randomUUID();
  const inCommand = browser.with({ [commandHeader]: command });
  const [first, second] = await makeTasks(browser, 2, { dueDate: '2026-12-03' });
  await inCommand.patch(`/tasks/${first?.id}`, { dueDate: '2026-12-24' });
  await inCommand.delete(`/tasks/${second?.id}`);
  t.like((await browser.app.post<UndoResponse>('/undo', { command })).body, { undone: 2, kept: [] });
  t.is((await readTask(browser, first?.id)).dueDate, '2026-12-03');
  t.false((await readTask(browser, second?.id)).inTrash);
  const nothing = { undone: 0, kept: [], keptRecords: 0, stamps: [] };
  for (const again of [command, randomUUID()])
    t.deepEqual((await browser.app.post<UndoResponse>('/undo', { command: again })).body, nothing);
});

test('only the web app names commands, and only its own account takes them back', async (t) => {
  const [browser, other] = [await webApps.open(), await webApps.open()];
  const command = randomUUID();
  const headers = { [commandHeader]: command };
  const script = stack.client(await stack.createToken(browser.account)).with(headers);
  const task = await makeTask(script);
  t.is((await browser.app.post<UndoResponse>('/undo', { command })).body.undone, 0);
  await browser.with(headers).patch(`/tasks/${task.id}`, { title: 'New' });
  t.is((await other.app.post<UndoResponse>('/undo', { command })).body.undone, 0);
  t.is(
    (await browser.with({ [commandHeader]: 'x' }).patch(`/tasks/${task.id}`, { dueDate: null })).status,
    200,
  );
  t.is((await readTask(browser, task.id)).title, 'New');
});

test('a suspended account takes nothing back', async (t) => {
  const browser = await webApps.open();
  const { id, createdAt } = await makeTask(browser);
  await stack.setStatus(browser.account, 'suspended');
  const { status, body } = await browser.app.post<Problem>('/undo', { stamps: [createdAt] });
  t.deepEqual([status, body.errorCode], [423, 'account_suspended']);
  t.false((await readTask(browser, id)).inTrash);
});

test('stamps of nothing, or of another account, are not found; malformed ones are refused', async (t) => {
  const [browser, other] = [await webApps.open(), await webApps.open()];
  const { createdAt } = await makeTask(other);
  t.is((await undo(browser, createdAt)).status, 404);
  for (const stamps of [[], ['yesterday'], 'now', undefined])
    t.is((await browser.app.post('/undo', { stamps })).status, 400);
  for (const both of [{ stamps: [createdAt], command: randomUUID() }, { command: 'x' }, {}])
    t.is((await browser.app.post('/undo', both)).status, 400);
});
