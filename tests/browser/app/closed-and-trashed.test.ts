import test from 'ava';
import { makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import { startApp } from './app-window.ts';

const { openApp } = await startApp(test);
const phone = { view: { width: 390, height: 844, colorScheme: 'light' } } as const;

test.serial(
  'the Logbook opens closed projects, those without an area too, newest closing first',
  async (t) => {
    const app = await openApp(t, { plan: 'premium' });
    const { page, script } = app;
    const home = await makeArea(script, { title: 'Home' });
    const [attic, trashed, garden] = [
      await makeProject(script, { title: 'Attic', areaId: home.id }),
      await makeProject(script, { title: 'Trashed' }),
      await makeProject(script, { title: 'Garden' }),
    ];
    await makeProject(script, { title: 'Active' });
    for (const { id } of [garden, trashed, attic])
      await script.post(`/projects/${id}/complete`, { completeChildTasks: true });
    await script.delete(`/projects/${trashed.id}`);
    await app.visit('/app/logbook');
    const button = page.getByRole('button', { name: 'Closed projects 2' });
    await button.click();
    const closed = page.getByRole('list', { name: 'Closed projects' }).getByRole('listitem');
    t.deepEqual(await closed.allInnerTexts(), ['Attic\ntoday', 'Garden\ntoday']);
    await closed.getByRole('link', { name: 'Garden' }).click();
    await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
    await page.getByRole('button', { name: 'Reopen Garden' }).click();
    await app.visit('/app/logbook');
    await page.getByRole('button', { name: 'Closed projects 1' }).waitFor();
    t.deepEqual(app.faults, []);
  },
);

test.serial('a name of a project leaves room for what was done in it', async (t) => {
  const app = await openApp(t, phone);
  const { page, script } = app;
  const project = await makeProject(script, { title: 'Everything that is in the old house '.repeat(3) });
  const task = await makeTask(script, { title: 'Clear the attic', projectId: project.id });
  await script.post(`/tasks/${task.id}/complete`);
  await app.visit('/app/logbook');
  const title = await page.getByRole('button', { name: 'Clear the attic' }).boundingBox();
  t.true((title?.width ?? 0) > 80, JSON.stringify(title));
  t.deepEqual(app.faults, []);
});
