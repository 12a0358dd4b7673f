import test from 'ava';
import type { Page } from 'playwright-core';
import { createAssistantSamples, createOwnSamples, type SampleApi } from '#local/create-samples.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { makeTask } from '#tests/support/factories.ts';
import { accessibilityFaults, lookAs, sidewaysPixels, type View, views } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';
import { type AppWindow, startApp } from './app-window.ts';
import { goOffline, press, rowOf } from './page-steps.ts';

const { stack, openApp } = await startApp(test);

/** 320 pixels are 400 % of a small window, 640 are 200 % of a large one (WCAG 2.2 §1.4.4, §1.4.10). */
const zoomedSizes = [
  { width: 320, height: 640 },
  { width: 640, height: 450 },
];

const isPhone = ({ width }: View): boolean => width < 720;

function samplesBy(client: ApiClient): SampleApi {
  const done = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  };
  return {
    create: async (path, body) => (await client.post<{ id: string }>(path, body)).body.id,
    act: (method, path) => done(method === 'POST' ? client.post(path) : client.delete(path)),
    change: (path, body) => done(client.patch(path, body)),
  };
}

type Furnished = AppWindow & { ids: ReadonlyMap<string, string>; isPhone: boolean };
type Show = (app: Furnished) => Promise<void>;

/** Leads there as a link does, without a load; what stands over the screen before is closed. */
async function goTo({ page }: AppWindow, path: string): Promise<void> {
  await page.keyboard.press('Escape');
  await inDialog(page).waitFor({ state: 'detached' });
  await page.evaluate(`{
    const link = Object.assign(document.createElement('a'), { href: '/app/${path}' });
    if (link.pathname !== location.pathname) document.querySelector('h1').dataset.left = '';
    document.body.append(link);
    link.click();
    link.remove();
  }`);
  await page.locator('h1[data-left]').waitFor({ state: 'detached' });
}

/** A screen, once it shows what it has from the service. */
const at =
  (path: string, shown = 'h1'): Show =>
  async (app) => {
    await goTo(app, path);
    await app.page.locator(shown).first().waitFor();
  };

const inDialog = (page: Page) => page.getByRole('dialog');

/** The inbox with the focus on its first task; what the screen before has opened there is closed. */
async function onFirstTask(app: Furnished): Promise<void> {
  const { page } = app;
  await goTo(app, 'inbox');
  await rowOf(page, 'Buy light bulbs').focus();
}

const withKeys =
  (...keys: string[]): Show =>
  async (app) => {
    await onFirstTask(app);
    await press(app.page, ...keys);
    await inDialog(app.page).waitFor();
  };

const withText =
  (keys: string[], text: string, shown: string): Show =>
  async (app) => {
    await withKeys(...keys)(app);
    await app.page.keyboard.insertText(text);
    await inDialog(app.page).getByText(shown).first().waitFor();
  };

const projectMenu: Show = async (app) => {
  const { page, ids } = app;
  await goTo(app, `project/${ids.get('Quarterly report')}`);
  await page.getByRole('main').getByRole('button', { name: 'Actions for Quarterly report' }).click();
  await page.getByRole('menu').waitFor();
};

const onProject =
  (item: string): Show =>
  async (app) => {
    await projectMenu(app);
    await app.page.getByRole('menuitem', { name: item }).click();
    await inDialog(app.page).waitFor();
  };

const onTask =
  (button: string): Show =>
  async (app) => {
    const { page, ids } = app;
    await goTo(app, `upcoming?task=${ids.get('Renew the passport')}`);
    await page.locator('.detail .md').waitFor();
    await page.locator('.detail').getByRole('button', { name: button }).click();
  };

const unfold =
  (path: (app: Furnished) => string, button: RegExp): Show =>
  async (app) => {
    await goTo(app, path(app));
    await app.page.getByRole('button', { name: button }).first().click();
  };

const shows: Record<string, Show> = {
  today: unfold(() => '', /^Done today/),
  upcoming: at('upcoming'),
  inbox: at('inbox'),
  anytime: at('anytime'),
  someday: at('someday'),
  lists: at('lists'),
  logbook: at('logbook', '.record'),
  trash: at('trash', '.record'),
  activity: unfold(() => 'activity', /more$/),
  assistants: at('assistants'),
  'nothing-here': at('nowhere'),
  area: (app) => at(`area/${app.ids.get('Home')}`)(app),
  project: unfold((app) => `project/${app.ids.get('Quarterly report')}`, /^Done \d/),
  'project-menu': projectMenu,
  'project-deadline': onProject('Set the deadline'),
  'project-question': onProject('Complete'),
  task: (app) => at(`upcoming?task=${app.ids.get('Renew the passport')}`, '.detail .md')(app),
  'task-notes': onTask('Edit'),
  'task-history': onTask('History'),
  'task-menu': onTask('More'),
  'row-menu': async (app) => {
    await onFirstTask(app);
    await app.page.keyboard.press('Shift+F10');
    await app.page.getByRole('menu').waitFor();
  },
  rename: async (app) => {
    const { page } = app;
    await onFirstTask(app);
    await press(page, 'r');
    await page.locator('[data-row] input:focus').waitFor();
  },
  selection: async (app) => {
    const { page } = app;
    await onFirstTask(app);
    await press(page, 'x');
    await page.locator('.selection-bar', { hasText: '1 selected' }).waitFor();
  },
  'quick-add': withText(
    ['n'],
    'Pay the deposit tomorrow 9:30 every month !fri #move // by transfer',
    'by transfer',
  ),
  'quick-add-lines': withText(['n'], 'Milk\nBread\nEggs', 'Add 3 tasks'),
  palette: withKeys('Control+k'),
  'palette-found': withText(['Control+k'], 'report', 'Quarterly report'),
  'palette-nothing': withText(['Control+k'], 'zeppelin', 'Nothing found'),
  plan: withKeys('s'),
  'plan-typed': withText(['s'], 'friday 9am', '09:00'),
  move: withKeys('m'),
  deadline: withKeys('d'),
  repeat: withKeys('Shift+r'),
  keys: withKeys('?'),
  toast: async (app) => {
    const { page } = app;
    await onFirstTask(app);
    await press(page, 'Space');
    await page.locator('.toast').waitFor();
    await press(page, 'Control+z');
    await rowOf(page, 'Buy light bulbs').waitFor();
  },
  refused: async (app) => {
    const { page } = app;
    await onFirstTask(app);
    await press(page, 'r');
    await page.keyboard.insertText('word '.repeat(300));
    await press(page, 'Enter');
    await page.getByRole('button', { name: 'Show' }).click();
    await inDialog(page).waitFor();
  },
  offline: async ({ page, visit }) => {
    await visit('/app/inbox');
    await rowOf(page, 'Buy light bulbs').waitFor();
    await goOffline(page);
    await page.getByText('Offline.').waitFor();
    await rowOf(page, 'Buy light bulbs').focus();
    await press(page, 't');
    await page.getByText('1 change waits').waitFor();
  },
  limit: async ({ page, context, person, visit, isPhone }) => {
    await context.setOffline(false);
    await stack.setPlan(person, 'free');
    await visit(isPhone ? '/app/lists' : '/app/logbook');
    await page.getByRole('button', { name: 'New area' }).click();
    await page.keyboard.type('Garden');
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor();
  },
  suspended: async ({ page, person, visit }) => {
    await stack.setStatus(person, 'suspended');
    await visit('/app/inbox');
    await page.getByText('Your account is suspended.').waitFor();
  },
  'signed-out': async ({ page, person }) => {
    await stack.sql`delete from auth.browser_session where account_id = ${person.accountId}`;
    await stack.announceChange(person.accountId);
    await page.reload();
    await inDialog(page).or(page.getByLabel('Password')).waitFor();
  },
};

/** What scrolls sideways or reaches beyond its row, by its class; code is never broken into lines. */
const scrollsSideways = `new Promise(requestAnimationFrame).then(() => [...document.querySelectorAll('*')]
  .filter((element) => element.tagName !== 'PRE' &&
  element.scrollWidth > element.clientWidth &&
  (element === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)))
  .concat([...document.querySelectorAll('[data-row] *')].filter((element) => element.checkVisibility() &&
    element.getBoundingClientRect().right > element.closest('[data-row]').getBoundingClientRect().right + 1))
  .map((element) => innerWidth + ' pixels: ' + element.tagName + '.' + element.className))`;

async function faultsOf({ page, faults }: AppWindow, view: View, name: string): Promise<string[]> {
  const found = [...(await accessibilityFaults(page)), ...faults.splice(0)];
  for (const { width, height } of isPhone(view) ? [...zoomedSizes, view] : [view]) {
    await page.setViewportSize({ width, height });
    found.push(...(await page.evaluate<string[]>(scrollsSideways)));
  }
  return found.map((fault) => `${name}: ${fault}`);
}

for (const view of views) {
  test(`every screen and dialog can be used by everybody: ${view.name}`, async (t) => {
    // A dialog that fades in has other colours until it is there.
    const device = { reducedMotion: 'reduce' } as const;
    const app = await openApp(t, {
      view,
      device,
      plan: 'premium',
      timezone: 'Europe/Berlin',
    });
    const today = Temporal.Now.plainDateISO('Europe/Berlin');
    const ids = await createOwnSamples(samplesBy(app.script), today);
    const assistant = stack.client(await stack.createToken(app.person, { name: 'Claude' }));
    await createAssistantSamples(samplesBy(assistant), ids, today);
    const title = 'Return what was borrowed '.repeat(8);
    const late = { dueDate: '2020-01-01', deadlineDate: '2020-01-02', reminderTime: '09:00' };
    await makeTask(app.script, { title, projectId: ids.get('Website relaunch') ?? '', ...late });
    await app.visit('/app/inbox');
    const found: string[] = [];
    for (const [name, show] of Object.entries(shows)) {
      await show({ ...app, ids, isPhone: isPhone(view) });
      await takePicture(app.page, `app/${view.name}/${name}`);
      found.push(...(await faultsOf(app, view, name)));
    }
    t.deepEqual(found, []);
  });
}

test('every empty screen can be used by everybody', async (t) => {
  const app = await openApp(t, { device: { reducedMotion: 'reduce' } });
  await app.visit('/app/inbox');
  await app.page.getByText('Connect an assistant').first().waitFor();
  const found: string[] = [];
  const empty = ['inbox', '', 'upcoming', 'anytime', 'someday', 'lists', 'logbook', 'trash', 'activity'];
  for (const name of empty) {
    await goTo(app, name);
    for (const view of views) {
      await lookAs(app.page, view);
      await takePicture(app.page, `app/${view.name}/empty-${name}`);
      found.push(...(await faultsOf(app, view, `${name}, ${view.name}`)));
    }
  }
  t.deepEqual(found, []);
});

/** Doubles the browser's size, and returns the texts before and after. Labels under a phone's icons stay. */
const enlarge = (page: Page): Promise<{ text: string; usual: number; large: number; line: number }[]> =>
  page.evaluate(`(() => {
    document.documentElement.style.fontSize = '';
    const sizeOf = (each) => parseFloat(getComputedStyle(each).fontSize);
    const shown = [...document.body.querySelectorAll('*:not(.tabbar *, option, .vh)')]
      .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
      .filter((each) => each.checkVisibility())
      .map((each) => ({ each, text: each.textContent, usual: sizeOf(each) }));
    document.documentElement.style.fontSize = '200%';
    return shown.map(({ each, text, usual }) =>
      ({ text, usual, large: sizeOf(each), line: parseFloat(getComputedStyle(each).lineHeight) }));
  })()`);

test.serial('all text follows the size that the browser is set to, in every view', async (t) => {
  const { page, script, visit } = await openApp(t);
  const fields = { title: 'Review the texts', dueDate: '2020-01-01', reminderTime: '09:30' };
  const task = await makeTask(script, fields);
  const places = [
    { path: '/app/', shown: '[data-row]' },
    { path: `/app/?task=${task.id}`, shown: '.detail textarea' },
    { path: '/app/activity', shown: 'h1' },
    { path: '/settings', shown: 'h1' },
    { path: '/settings/api', shown: 'h1' },
  ];
  for (const { path, shown } of places) {
    await visit(path);
    await page.locator(shown).first().waitFor();
    for (const view of views) {
      await lookAs(page, view);
      const texts = await enlarge(page);
      t.true(texts.length > 5, path);
      t.deepEqual(
        texts.filter(({ usual, large, line }) => large !== 2 * usual || line < large),
        [],
        `${path}, ${view.name}`,
      );
      t.is(await sidewaysPixels(page), 0, `${path}, ${view.name}`);
    }
  }
});

/** As in a language whose words are two fifths longer. */
const lengthen = `{
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    text.data = text.data.replace(/\\p{L}{2,}/gu, (word) => word + 'n'.repeat(Math.ceil(word.length * 0.4)));
  }
}`;

test.serial('longer words, and a language from right to left, fit every screen', async (t) => {
  const { page, script, visit } = await openApp(t, { plan: 'premium' });
  const ids = await createOwnSamples(samplesBy(script), Temporal.Now.plainDateISO('UTC'));
  const project = `project/${ids.get('Quarterly report')}`;
  const screens = ['', 'upcoming', 'inbox', 'anytime', project, 'lists', 'activity', 'trash', 'assistants'];
  for (const screen of screens) {
    for (const view of views) {
      await lookAs(page, view);
      await visit(`/app/${screen}`);
      const length = () => page.evaluate<number>('document.body.textContent.length');
      const usual = await length();
      await page.evaluate(lengthen);
      t.true((await length()) > 1.1 * usual, screen);
      for (const direction of ['ltr', 'rtl']) {
        await page.evaluate(`document.documentElement.dir = '${direction}'`);
        const name = `${screen}, ${view.name}, ${direction}`;
        t.deepEqual(await page.evaluate(scrollsSideways), [], name);
        t.is(await sidewaysPixels(page), 0, name);
      }
    }
  }
});

/** What a style says of the first such element. */
const styleOf = (page: Page, selector: string, property: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);

test.serial(
  'in forced colours what is pressed has an edge; arrows point outwards from right to left',
  async (t) => {
    const { page, script, visit } = await openApp(t);
    await makeTask(script, { title: 'Dig' });
    await page.emulateMedia({ forcedColors: 'active' });
    await visit('/app/activity');
    await page.getByRole('button', { name: 'Scripts' }).click();
    const edges = (inside: string) =>
      Promise.all(
        ['true', 'false'].map((pressed) =>
          styleOf(page, `${inside} [aria-pressed=${pressed}]`, 'borderTopWidth'),
        ),
      );
    t.deepEqual(await edges('.seg'), ['2px', '0px']);
    await visit('/app/inbox');
    await rowOf(page, 'Dig').focus();
    await press(page, 'Shift+r');
    await page.getByRole('button', { name: 'Monday' }).click();
    t.deepEqual(await edges('.week-days'), ['2px', '0px']);
    await press(page, 'Escape', 's');
    await page.getByRole('button', { name: 'Next month' }).waitFor();
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    t.is(await styleOf(page, '.month-head svg', 'transform'), 'matrix(-1, 0, 0, 1, 0, 0)');
  },
);

test.serial('while notes are written on a phone, their heading is on the ground of the page', async (t) => {
  const { page, script, visit } = await openApp(t, { view: views[0] });
  const { id } = await makeTask(script, { title: 'Dig', description: 'Deep' });
  await visit(`/app/inbox?task=${id}`);
  await page.locator('.detail').getByRole('button', { name: 'Edit' }).click();
  await page.locator('.notes-edit').waitFor();
  const ground = await styleOf(page, '.detail', 'backgroundColor');
  t.is(await styleOf(page, 'section:has(.notes-edit) .sec-h', 'backgroundColor'), ground);
});
