import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { draggable, press, rowOf, showsTitles, tasksByTitle, waitFor } from './page-steps.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

const dragged = { sourcePosition: { x: 200, y: 20 }, steps: 8 } as const;

test.serial('a task is dragged into a section; every browser and the API have its order', async (t) => {
  const app = await openApp(t, browser, stack);
  const { page, context, script } = app;
  const project = await makeProject(script, { title: 'Garden' });
  const beds = await makeSection(script, project.id, { title: 'Beds' });
  for (const title of ['Water', 'Sow', 'Dig']) await makeTask(script, { title, projectId: project.id });
  await makeTask(script, { title: 'Weed', projectId: project.id, sectionId: beds.id });
  await app.visit(`/app/project/${project.id}`);
  await showsTitles(page, 'Dig', 'Sow', 'Water', 'Weed');
  await draggable(page);
  await rowOf(page, 'Sow').dragTo(page.getByRole('heading', { name: 'Beds' }), dragged);
  await showsTitles(page, 'Dig', 'Water', 'Sow', 'Weed');
  await waitFor(async () => (await tasksByTitle(script)).get('Sow')?.sectionId === beds.id);
  await rowOf(page, 'Sow').focus();
  await press(page, 'Alt+ArrowDown');
  await showsTitles(page, 'Dig', 'Water', 'Weed', 'Sow');
  await rowOf(page, 'Water').focus();
  await press(page, 'Alt+ArrowUp');
  const order = ['Water', 'Dig', 'Weed', 'Sow'];
  await showsTitles(page, ...order);
  const listed = async () => {
    const { body } = await script.get<{ items: { title: string; sectionId: string | null }[] }>(
      `/projects/${project.id}/tasks`,
    );
    const inSection = (id: string | null) =>
      body.items.filter((task) => task.sectionId === id).map(({ title }) => title);
    return [...inSection(null), ...inSection(beds.id)].join();
  };
  await waitFor(async () => (await listed()) === order.join());
  await app.visit(`/app/project/${project.id}`);
  await showsTitles(page, ...order);
  const second = await browser.newContext({
    storageState: { cookies: await context.cookies(), origins: [] },
  });
  t.teardown(() => second.close());
  const other = await second.newPage();
  await other.goto(`${stack.baseUrl}/app/project/${project.id}`);
  await showsTitles(other, ...order);
  t.deepEqual(app.faults, []);
});

test.serial('a task is dragged to a day and to a list of the sidebar', async (t) => {
  const app = await openApp(t, browser, stack);
  const { page, script } = app;
  const day = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
  await makeTask(script, { title: 'Call', dueDate: day(1) });
  await makeTask(script, { title: 'Write', dueDate: day(3) });
  await app.visit('/app/upcoming');
  await showsTitles(page, 'Call', 'Write');
  await draggable(page);
  await rowOf(page, 'Call').dragTo(rowOf(page, 'Write'), { ...dragged, targetPosition: { x: 200, y: 36 } });
  await waitFor(async () => (await tasksByTitle(script)).get('Call')?.dueDate === day(3));
  await showsTitles(page, 'Write', 'Call');
  await rowOf(page, 'Write').dragTo(page.getByRole('link', { name: /^Today/ }), dragged);
  await waitFor(async () => (await tasksByTitle(script)).get('Write')?.dueDate === day(0));
  await showsTitles(page, 'Call');
  t.deepEqual(app.faults, []);
});
