import type { Browser, Page } from 'playwright-core';
import { gesturesThere } from '#tests/browser/app/page-steps.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { cores, pinProcess } from '../../processes.ts';
import { percentile } from '../../statistics.ts';
import { type App, startApp } from '../app-service.ts';
import { type BenchCase, judgeSamples } from '../bench-case.ts';
import { type Frame, scrollToEnd } from '../script-times.ts';

const phone = { width: 390, height: 844 };
const slowdown = 4;
const pixelsPerFrame = 300;

export const webApp: BenchCase = {
  id: 'web-app',
  what: 'the web app with 5,000 open tasks, nearly all in one list, on a phone’s screen, 4× slowed down',
  async run(bench) {
    const visits: Visits[] = [];
    await using service = await startApp(bench);
    // The browser throttles the page only; its other processes and the services run at full speed.
    pinProcess(process.pid, cores.all);
    const browser = await launchChromium();
    pinProcess(process.pid, cores.others);
    try {
      for (let run = 0; run < (bench.isQuick ? 2 : 6); run += 1) {
        bench.signal.throwIfAborted();
        visits.push(await visit(browser, service));
      }
    } finally {
      await browser.close();
    }
    const judge = (what: string, atMost: number, unit: string, of: (each: Visits) => number) =>
      judgeSamples(
        visits.map((each) => [of(each)]),
        { what, bound: { atMost }, unit },
      );
    const share = (of: number, value: keyof Frame) => (each: Visits) =>
      percentile(
        each.frames.map((frame) => frame[value]),
        of,
      );
    return [
      judge('5,000 tasks: first visit, to the first rows', 1.5, 's', ({ first }) => first),
      judge('5,000 tasks: second visit, to the first rows', 0.6, 's', ({ second }) => second),
      judge('script of a scrolled frame, median', 8, 'ms', share(0.5, 'script')),
      judge('script of a scrolled frame, 95th percentile', 8, 'ms', share(0.95, 'script')),
      // About thirty for each new row; a selector such as `.app:has(…) .row` would restyle the whole list.
      judge('elements restyled in a scrolled frame, median', 240, '', share(0.5, 'restyled')),
    ];
  },
};

type Visits = { first: number; second: number; frames: Frame[] };

/** Measures a first visit, and a second one in the same browser. */
async function visit(browser: Browser, { baseUrl, openContext }: App): Promise<Visits> {
  const context = await openContext(browser, { viewport: phone, isMobile: true, hasTouch: true });
  try {
    const page = await context.newPage();
    await page.addInitScript(noteFirstRow);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const address = `${baseUrl}/app/inbox`;
    await page.goto(address);
    const first = await secondsToFirstRow(page);
    // The second visit comes from the service worker and from the copy on disk.
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await waitFor(async () => (await page.evaluate<number>(countSavedTasks)) >= 5_000);
    await page.goto(address);
    const second = await secondsToFirstRow(page);
    await gesturesThere(page);
    const frames = await scrollToEnd(page, session, pixelsPerFrame);
    return { first, second, frames };
  } finally {
    await context.close();
  }
}

/** Milliseconds since the navigation, in the frame that shows the first row. */
const noteFirstRow = `{
  const look = () => {
    if (document.querySelector('[data-row]') === null) requestAnimationFrame(look);
    else requestAnimationFrame(() => { globalThis.firstRowAt = performance.now(); });
  };
  requestAnimationFrame(look);
}`;

const countSavedTasks = `(async () => {
  const [known] = (await indexedDB.databases()).filter(({ name }) => name.startsWith('tasks-'));
  if (known === undefined) return 0;
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(known.name);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const counting = opening.result.transaction('tasks').objectStore('tasks').count();
      counting.onsuccess = () => resolve(counting.result);
      opening.result.close();
    };
  });
})()`;

async function secondsToFirstRow(page: Page): Promise<number> {
  const milliseconds = await page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      if (globalThis.firstRowAt === undefined) requestAnimationFrame(look);
      else resolve(globalThis.firstRowAt);
    };
    look();
  })`);
  return milliseconds / 1_000;
}
