import type { Locator, Page } from 'playwright-core';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { waitFor as waitBriefly } from '#tests/support/wait-for.ts';

/** A busy machine takes its time to show a page. */
export const waitFor: typeof waitBriefly = (condition, options = {}) =>
  waitBriefly(condition, { timeoutMilliseconds: 20_000, ...options });

export const rowOf = (page: Page, title: string) => page.locator('[data-row]', { hasText: title });

/** Waits until these are the texts; the error says what they are instead. */
export async function showsTexts(elements: Locator, texts: readonly string[]): Promise<void> {
  let shown = '';
  const isShown = async () => {
    shown = (await elements.allTextContents()).map((text) => text.trim()).join();
    return shown === texts.join();
  };
  await waitFor(isShown).catch((error: unknown) => {
    throw new Error(`shows «${shown}» instead of «${texts.join()}»`, { cause: error });
  });
}

export const showsTitles = (page: Page, ...titles: string[]) =>
  showsTexts(page.locator('[data-row] .t'), titles);

/** Presses keys one after another; the focus is never left to the page. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await waitFor(() => page.evaluate('document.activeElement !== document.body'), {
      what: `the focus after ${key}`,
    });
  }
}

/** Waits until it has the focus. */
export const hasFocus = (element: Locator) => element.and(element.page().locator(':focus')).waitFor();

/** From now on: what screen readers are given to say by live regions. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`window.said = [];
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const element = target.nodeType === 3 ? target.parentElement : target;
        if (element?.closest('[role="status"], [aria-live]') == null) continue;
        const texts = target.nodeType === 3 ? [target.data] : [...addedNodes].map((node) => node.textContent);
        said.push(...texts.map((text) => text.trim()).filter((text) => text !== ''));
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })`);
  return () => page.evaluate<string[]>('said');
}

/** N, the text, ↵. */
export async function addByKeys(page: Page, text: string): Promise<void> {
  await press(page, 'n');
  await page.locator('dialog textarea:focus').waitFor();
  await page.keyboard.insertText(text);
  await press(page, 'Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** All tasks of the account that a list could show, by title. */
export async function tasksByTitle(client: ApiClient): Promise<Map<string, Task>> {
  const { body } = await client.get<{ items: Task[] }>('/tasks?view=all&limit=200');
  return new Map(body.items.map((task) => [task.title, task]));
}

/** Dragging and gestures come when the first rows are there. */
export async function gesturesThere(page: Page): Promise<void> {
  const row = page.locator('[data-row]').first();
  await waitFor(async () => {
    await row.dispatchEvent('pointerover');
    return (await row.getAttribute('draggable')) === 'true';
  });
}

/** Once the app is kept for that: a service worker that cannot be fetched is an error in the console. */
export async function goOffline(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.context().setOffline(true);
}

/** Rows and unsent changes that this browser holds, by account. */
export const storedCounts = (page: Page) =>
  page.evaluate<Record<string, { tasks: number; records: number }>>(`(async () => {
    const counts = {};
    for (const { name } of await indexedDB.databases()) {
      const resultOf = (asked) =>
        new Promise((resolve) => { asked.onsuccess = () => resolve(asked.result); });
      const db = await resultOf(indexedDB.open(name));
      const count = (store) => resultOf(db.transaction(store).objectStore(store).count());
      counts[name] = { tasks: await count('tasks'), records: await count('records') };
      db.close();
    }
    return counts;
  })()`);

/** The strip about what a script has done comes with what makes rows draggable, and moves them. */
export async function draggable(page: Page): Promise<void> {
  await gesturesThere(page);
  await page.locator('.strip', { hasText: 'Nightly script' }).waitFor();
}
