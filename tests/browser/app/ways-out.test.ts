import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { startApp } from './app-window.ts';
import { addByKeys, goOffline, press, rowOf, waitFor } from './page-steps.ts';

const { openApp } = await startApp(test);

const soon = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();

type Window = Awaited<ReturnType<typeof openApp>>;
const refusal = ({ page }: Window) => page.locator('.strip', { hasText: '1 change was not accepted' });
const button = ({ page }: Window, name: string) => page.getByRole('button', { name, exact: true });

/** What this device does without a connection, and a script meanwhile. */
async function collide(app: Window, onDevice: () => Promise<void>, meanwhile: () => Promise<unknown>) {
  await goOffline(app.page);
  await app.page.getByText('Offline.').waitFor();
  await onDevice();
  await meanwhile();
  await app.context.setOffline(false);
  await refusal(app).waitFor();
}

test.serial('a change of a task in the Trash is applied once the task is restored', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  const { id } = await makeTask(script, { title: 'Pack' });
  const read = async () => (await script.get<Task>(`/tasks/${id}`)).body;
  await app.visit('/app/inbox');
  await rowOf(page, 'Pack').focus();
  const plan = async () => {
    await press(page, 't');
    await page.locator('.toast', { hasText: 'Planned “Pack” for today' }).waitFor();
  };
  await collide(app, plan, () => script.delete(`/tasks/${id}`));
  await refusal(app).getByText('It is in the Trash.').waitFor();
  t.is(await page.locator('.toast', { hasText: 'Planned' }).count(), 0, 'what was said of it has gone');
  await app.visit('/app/trash');
  await button(app, 'Show').click();
  await button(app, 'Restore it and apply the change').waitFor();
  t.is(await button(app, 'Try again').count(), 0);
  await takePicture(page, 'refusal-in-trash');
  await button(app, 'Restore it and apply the change').click();
  await waitFor(async () => (await read()).dueDate !== null);
  t.false((await read()).inTrash);
  await refusal(app).waitFor({ state: 'detached' });
});

test.serial('a task that was cancelled elsewhere is opened again, and then completed', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  const { id } = await makeTask(script, {
    title: 'Pack',
    dueDate: Temporal.Now.plainDateISO('UTC').toString(),
  });
  const read = async () => (await script.get<Task>(`/tasks/${id}`)).body;
  await app.visit('/app/');
  await rowOf(page, 'Pack').focus();
  await collide(
    app,
    () => press(page, 'Space'),
    () => script.post(`/tasks/${id}/cancel`),
  );
  await refusal(app).getByText('It was cancelled meanwhile.').waitFor();
  await rowOf(page, 'Pack').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open again' }).waitFor();
  t.is(await page.getByRole('menuitem', { name: 'Cancel the task' }).count(), 0);
  await press(page, 'Escape');
  await button(app, 'Show').click();
  await button(app, 'Open it again and apply the change').waitFor();
  t.is(await button(app, 'Try again').count(), 0);
  await button(app, 'Open it again and apply the change').click();
  await waitFor(async () => (await read()).status === 'completed');
  await refusal(app).waitFor({ state: 'detached' });
});

test.serial('what a closed project does not take says where it goes instead', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  const { id } = await makeProject(script, { title: 'Launch' });
  await app.visit(`/app/project/${id}`);
  const add = (text: string) => async () => {
    await addByKeys(page, text);
    await rowOf(page, text.split(' ')[0] ?? '').waitFor();
  };
  await collide(app, add('Dated tomorrow'), () => script.post(`/projects/${id}/complete`));
  await button(app, 'Show').click();
  await takePicture(page, 'refusal-of-project');
  await button(app, 'Keep it for tomorrow, without a project').click();
  await page.locator('.toast', { hasText: 'Planned “Dated” for tomorrow' }).waitFor();
  const tasks = async () => (await script.get<{ items: Task[] }>('/tasks?view=all')).body.items;
  await waitFor(async () => (await tasks()).some(({ dueDate }) => dueDate === soon));
  await script.post(`/projects/${id}/uncomplete`);
  await button(app, 'Complete Launch').waitFor();
  await collide(app, add('Undated'), () => script.post(`/projects/${id}/complete`));
  await button(app, 'Show').click();
  await button(app, 'Put it in the Inbox').click();
  await page.locator('.toast', { hasText: 'Moved “Undated” to the Inbox' }).waitFor();
  await waitFor(async () => (await tasks()).some(({ list }) => list === 'inbox'));
  t.true((await tasks()).every(({ projectId }) => projectId === null));
});
