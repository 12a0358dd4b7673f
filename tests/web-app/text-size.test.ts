import test from 'ava';
import type { Page } from 'playwright-core';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeTask } from '#tests/support/factories.ts';
import { sidewaysPixels } from '#tests/support/shown-page.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { rowOf } from './page-steps.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

/** Sets the browser to twice the size, and returns the texts before and after. Labels under the icons of a phone stay. */
const enlarge = (page: Page): Promise<{ text: string; usual: number; large: number; line: number }[]> =>
  page.evaluate(`(() => {
    const sizeOf = (each) => parseFloat(getComputedStyle(each).fontSize);
    const shown = [...document.body.querySelectorAll('*:not(.tabbar *, option, .vh)')]
      .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
      .filter((each) => each.checkVisibility())
      .map((each) => ({ each, text: each.textContent, usual: sizeOf(each) }));
    document.documentElement.style.fontSize = '200%';
    return shown.map(({ each, text, usual }) =>
      ({ text, usual, large: sizeOf(each), line: parseFloat(getComputedStyle(each).lineHeight) }));
  })()`);

const views = [
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'light' },
] as const;

for (const view of views) {
  test.serial(
    `all text follows the size that the browser is set to, ${view.width} pixels wide`,
    async (t) => {
      const app = await openApp(t, browser, stack, { view });
      const { page, script } = app;
      const task = await makeTask(script, {
        title: 'Review the texts',
        dueDate: '2020-01-01',
        reminderTime: '09:30',
      });
      for (const path of ['/app/', `/app/?task=${task.id}`, '/app/activity', '/settings', '/settings/api']) {
        await app.visit(path);
        if (path === '/app/') await rowOf(page, 'Review').waitFor();
        const texts = await enlarge(page);
        t.true(texts.length > 5, path);
        t.deepEqual(
          texts.filter(({ usual, large, line }) => large !== 2 * usual || line < large),
          [],
          path,
        );
        t.is(await sidewaysPixels(page), 0, path);
      }
      t.deepEqual(app.faults, []);
    },
  );
}
