import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { addByKeys, press, rowOf, showsTitles, tasksByTitle, waitFor } from './page-steps.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

const titles = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'];

test.serial(
  'several lines are tasks in their order, in a list and on a day, before and after they are sent',
  async (t) => {
    const app = await openApp(t, browser, stack);
    const { page, context, script } = app;
    for (const [path, place] of Object.entries({ '/app/inbox': 'Sooner', '/app/': 'Later' })) {
      const lines = titles.map((title) => `${place} ${title}`);
      await app.visit(path);
      await context.setOffline(true);
      await addByKeys(page, lines.join('\n'));
      await showsTitles(page, ...lines);
      await context.setOffline(false);
      const areSent = async () => {
        const sent = await tasksByTitle(script);
        return lines.every((line) => sent.has(line));
      };
      await waitFor(areSent);
      await app.visit(path);
      await showsTitles(page, ...lines);
    }
    t.deepEqual(
      app.faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED')),
      [],
    );
  },
);

test.serial(
  'several tasks keep their order in the list that they are moved to; the selection ends, and the next row has the focus',
  async (t) => {
    const app = await openApp(t, browser, stack);
    const { page, script } = app;
    await app.visit('/app/inbox');
    await addByKeys(page, titles.join('\n'));
    await waitFor(async () => (await tasksByTitle(script)).size === titles.length);
    await rowOf(page, 'First').focus();
    await press(page, 'x', 'Shift+ArrowDown', 'm');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.insertText('Someday');
    await press(page, 'Enter');
    await showsTitles(page, ...titles.slice(2));
    await rowOf(page, 'Third').and(page.locator(':focus')).waitFor();
    await page.getByRole('region', { name: 'Selected tasks' }).waitFor({ state: 'detached' });
    const filed = async () =>
      [...(await tasksByTitle(script)).values()].filter(({ list }) => list === 'someday');
    await waitFor(async () => (await filed()).length === 2);
    await app.visit('/app/someday');
    await showsTitles(page, 'First', 'Second');
    t.deepEqual(app.faults, []);
  },
);

for (const width of [820, 390]) {
  test.serial(`a toast is whole, above the bar of the selection, ${width} pixels wide`, async (t) => {
    const view = { width, height: 844, colorScheme: 'dark' } as const;
    const app = await openApp(t, browser, stack, { view });
    const { page } = app;
    await app.visit('/app/');
    await addByKeys(page, 'Stay\nLeave');
    await rowOf(page, 'Leave').focus();
    await press(page, 'x');
    const bar = page.getByRole('region', { name: 'Selected tasks' });
    await bar.waitFor();
    await addByKeys(page, `${'Unbreakable'.repeat(20)} tomorrow`);
    const toast = page.locator('.toast', { hasText: 'Unbreakable' });
    await toast.waitFor();
    const [toastBox, barBox] = await Promise.all([toast.boundingBox(), bar.boundingBox()]);
    const [left, bottom] = [toastBox?.x ?? -1, (toastBox?.y ?? 0) + (toastBox?.height ?? 0)];
    t.true(left >= 0 && left + (toastBox?.width ?? 0) <= width, 'beside the window');
    t.true(bottom <= (barBox?.y ?? 0), 'over the bar');
    await toast.getByRole('button', { name: 'Undo' }).click();
    t.deepEqual(app.faults, []);
  });
}
