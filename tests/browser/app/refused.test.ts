import test from 'ava';
import type { Page } from 'playwright-core';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { startApp } from './app-window.ts';
import { addByKeys, goOffline, press, rowOf, showsTitles, tasksByTitle, waitFor } from './page-steps.ts';

const { stack, openApp } = await startApp(test);

const typed = 'word '.repeat(300).trim();
const refusal = (page: Page) => page.getByText('1 change was not accepted');

async function renameTooLong(page: Page): Promise<void> {
  await rowOf(page, 'Short').focus();
  await press(page, 'r');
  await page.keyboard.insertText(typed);
  await press(page, 'Enter');
  await refusal(page).waitFor();
}

test.serial('what was refused is kept over reloads and in all tabs until its owner lets it go', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  await makeTask(script, { title: 'Short' });
  await visit('/app/inbox');
  await renameTooLong(page);
  await page.reload();
  await showsTitles(page, 'Short');
  const other = await context.newPage();
  await other.goto(`${stack.baseUrl}/app/inbox`);
  await refusal(other).waitFor();
  await page.getByRole('button', { name: 'Show' }).click();
  t.is(await page.getByRole('textbox', { name: 'What you typed' }).inputValue(), typed);
  await page.getByRole('button', { name: 'Discard' }).click();
  await refusal(other).waitFor({ state: 'detached' });
  await page.reload();
  await showsTitles(page, 'Short');
  t.is(await refusal(page).count(), 0);
});

test.serial('messages are read and answered above an open task, on a phone and a tablet', async (t) => {
  const { page, script, visit } = await openApp(t);
  const { id } = await makeTask(script, { title: 'Short' });
  for (const width of [390, 800]) {
    await page.setViewportSize({ width, height: 844 });
    await visit('/app/inbox');
    await renameTooLong(page);
    await visit(`/app/inbox?task=${id}`);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await refusal(page).waitFor({ state: 'detached' });
    await page.locator('.detail').getByRole('checkbox', { name: 'Short' }).click();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.toast', { hasText: 'Undone' }).waitFor();
  }
});

type Read = { title: string; status: string; dueDate: string | null; description: string | null };

test.serial('a task that both changed is merged; the later write of a field wins', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Draft' });
  const read = async () => (await script.get<Read>(`/tasks/${task.id}`)).body;
  await visit('/app/inbox');
  await rowOf(page, 'Draft').focus();
  await goOffline(page);
  await page.getByText('Offline.').waitFor();
  await press(page, 'r');
  await page.keyboard.type('Mine');
  await press(page, 'Enter');
  await script.patch(`/tasks/${task.id}`, { title: 'Theirs', dueDate: '2099-01-01' });
  await context.setOffline(false);
  await waitFor(async () => (await read()).title === 'Mine');
  t.is((await read()).dueDate, '2099-01-01');
  await page.goto(`${stack.baseUrl}/app/inbox?task=${task.id}`);
  await page.locator('.detail').getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('dialog');
  for (const version of ['Draft', 'Theirs', 'Mine']) await history.getByText(version).first().waitFor();
});

test.serial('notes that both changed are asked about', async (t) => {
  const { page, context, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Draft', description: 'Before' });
  const read = async () => (await script.get<Read>(`/tasks/${task.id}`)).body;
  await visit(`/app/inbox?task=${task.id}`);
  await page.locator('.detail .md', { hasText: 'Before' }).waitFor();
  await goOffline(page);
  await page.getByText('Offline.').waitFor();
  await press(page, 'e');
  await page.getByRole('textbox', { name: 'Notes, in Markdown' }).fill('Of mine');
  await press(page, 'Escape');
  await script.patch(`/tasks/${task.id}`, { description: 'Of theirs' });
  await context.setOffline(false);
  await page.getByText('Changed by Nightly script meanwhile').waitFor();
  t.is((await read()).description, 'Of theirs');
  // Elsewhere, a strip leads back to the question, and the task can be completed meanwhile.
  await press(page, 'Escape');
  await rowOf(page, 'Draft').focus();
  await press(page, 'Space');
  await waitFor(async () => (await read()).status === 'completed');
  const strip = page.locator('.strip', { hasText: 'Notes changed on both sides: “Draft”' });
  await strip.getByRole('link', { name: 'Show' }).click();
  await strip.waitFor({ state: 'detached' });
  await page.locator('.conflict', { hasText: 'Of theirs' }).waitFor();
  await page.locator('.detail .md', { hasText: 'Of mine' }).waitFor();
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await page.locator('.conflict').waitFor({ state: 'detached' });
  await page.locator('.detail .md', { hasText: 'Of theirs' }).waitFor();
  t.is((await read()).description, 'Of theirs');
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await waitFor(async () => (await read()).description === 'Of mine');
});

test.serial('notes of 100,000 characters are saved; longer ones are refused, to be copied', async (t) => {
  const { page, script, visit } = await openApp(t);
  const task = await makeTask(script, { title: 'Long' });
  const saved = async () =>
    (await script.get<{ description: string | null }>(`/tasks/${task.id}`)).body.description;
  await visit(`/app/inbox?task=${task.id}`);
  const field = page.getByRole('textbox', { name: 'Notes, in Markdown' });
  const write = async (text: string) => {
    await page.getByRole('button', { name: /^(Add notes|Edit)$/ }).waitFor();
    await press(page, 'e');
    await field.fill(text);
  };
  const most = 'ä'.repeat(100_000);
  await write(most);
  await press(page, 'Escape');
  await waitFor(async () => (await saved()) === most);
  await write(`${most} and more`);
  await page.getByText('these are 9 too many').waitFor();
  await press(page, 'Escape');
  await page
    .locator('.strip', { hasText: '1 change was not accepted' })
    .getByText('“Long”. Notes must have at most 100,000 characters')
    .waitFor();
  await page.getByRole('button', { name: 'Show' }).click();
  t.is(await page.getByRole('textbox', { name: 'What you typed' }).inputValue(), `${most} and more`);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('not accepted').waitFor({ state: 'detached' });
  t.is(await saved(), most);
  await page.getByRole('row', { name: 'Long' }).press('Enter');
  await page.getByRole('button', { name: 'Add an item' }).click();
  await page.keyboard.insertText('c'.repeat(1025));
  await press(page, 'Escape');
  await page.getByText('An item of the checklist must have at most 1,024 characters').waitFor();
});

test.serial('a project that gets a task after the question stays open, to be asked again', async (t) => {
  const { page, script, visit } = await openApp(t);
  const project = await makeProject(script, { title: 'Other' });
  await makeTask(script, { title: 'Pack', projectId: project.id });
  await visit(`/app/project/${project.id}`);
  await page.getByRole('button', { name: 'Complete Other' }).click();
  await page.getByRole('dialog', { name: 'Complete its 1 open task too?' }).waitFor();
  await makeTask(script, { title: 'Visa', projectId: project.id });
  await rowOf(page, 'Visa').waitFor();
  await page.getByRole('button', { name: 'Mark them cancelled' }).click();
  await page.locator('.strip', { hasText: '1 open task has come into it meanwhile' }).waitFor();
  await showsTitles(page, 'Visa', 'Pack');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('dialog', { name: 'Complete its 2 open tasks too?' }).waitFor();
  await page.getByRole('button', { name: 'Mark them cancelled' }).click();
  await page.getByText('Completed', { exact: true }).waitFor();
  const ofTasks = async () => [...(await tasksByTitle(script)).values()].map(({ status }) => status);
  await waitFor(async () => (await ofTasks()).join() === 'cancelled,cancelled');
  t.is(await page.getByText('not accepted').count(), 0);
});

test.serial('of 2,000 pasted lines none is lost: too many are named, and fewer are added', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  await visit('/app/inbox');
  await press(page, 'n');
  const field = page.locator('dialog textarea:focus');
  await field.waitFor();
  const lines = Array.from({ length: 2_000 }, (_, index) => `Line ${index}`);
  await page.keyboard.insertText(lines.join('\n'));
  await page.getByText('These are 2,000 lines. At most 500 tasks can be added at once.').waitFor();
  await press(page, 'Control+Enter');
  t.is(await field.inputValue(), lines.join('\n'));
  await field.fill(lines.slice(0, 60).join('\n'));
  await page.getByRole('button', { name: 'Add 60 tasks' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await rowOf(page, 'Line 59').first().waitFor();
  await waitFor(async () => (await tasksByTitle(script)).size === 60);
});

const soon = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();

type Window = Awaited<ReturnType<typeof openApp>>;
const refusalIn = ({ page }: Window) => page.locator('.strip', { hasText: '1 change was not accepted' });
const button = ({ page }: Window, name: string) => page.getByRole('button', { name, exact: true });

/** What this device does without a connection, and a script meanwhile. */
async function collide(app: Window, onDevice: () => Promise<void>, meanwhile: () => Promise<unknown>) {
  await goOffline(app.page);
  await app.page.getByText('Offline.').waitFor();
  await onDevice();
  await meanwhile();
  await app.context.setOffline(false);
  await refusalIn(app).waitFor();
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
  await refusalIn(app).getByText('It is in the Trash.').waitFor();
  t.is(await page.locator('.toast', { hasText: 'Planned' }).count(), 0, 'what was said of it has gone');
  await app.visit('/app/trash');
  await button(app, 'Show').click();
  await button(app, 'Restore it and apply the change').waitFor();
  t.is(await button(app, 'Try again').count(), 0);
  await takePicture(page, 'refusalIn-in-trash');
  await button(app, 'Restore it and apply the change').click();
  await waitFor(async () => (await read()).dueDate !== null);
  t.false((await read()).inTrash);
  await refusalIn(app).waitFor({ state: 'detached' });
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
  await refusalIn(app).getByText('It was cancelled meanwhile.').waitFor();
  await rowOf(page, 'Pack').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Done today/ }).click();
  await rowOf(page, 'Pack').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open again' }).waitFor();
  t.is(await page.getByRole('menuitem', { name: 'Cancel the task' }).count(), 0);
  await press(page, 'Escape');
  await button(app, 'Show').click();
  await button(app, 'Open it again and apply the change').waitFor();
  t.is(await button(app, 'Try again').count(), 0);
  await button(app, 'Open it again and apply the change').click();
  await waitFor(async () => (await read()).status === 'completed');
  await refusalIn(app).waitFor({ state: 'detached' });
});

test.serial('a date of a series that was moved elsewhere is not offered to be completed again', async (t) => {
  const app = await openApp(t);
  const { page, script } = app;
  const dueDate = Temporal.Now.plainDateISO('UTC').toString();
  const { id } = await makeTask(script, { title: 'Water', dueDate, recurrence: { frequency: 'daily' } });
  await app.visit('/app/');
  await rowOf(page, 'Water').focus();
  await collide(
    app,
    () => press(page, 'Space'),
    () => script.patch(`/tasks/${id}`, { dueDate: soon }),
  );
  await refusalIn(app).getByText('Meanwhile it was skipped or moved to another day').waitFor();
  await button(app, 'Show').click();
  await button(app, 'Discard').waitFor();
  t.is(await button(app, 'Try again').count(), 0);
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
  await takePicture(page, 'refusalIn-of-project');
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
