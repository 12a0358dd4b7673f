import type { CDPSession, Page } from 'playwright-core';
import { gesturesThere } from '#tests/browser/app/page-steps.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openRotatingClient } from '../../faults/rotating-client.ts';
import { type App, startApp } from '../app-service.ts';
import { type BenchCase, judgeCount } from '../bench-case.ts';
import { withConnection } from '../stores.ts';

/** As many changes as others make in a busy hour. */
const changes = 20_000;
const writers = 8;

export const webAppMemory: BenchCase = {
  id: 'web-app-memory',
  what: 'memory of an open tab with 5,000 tasks while others change them 20,000 times',
  async run(bench) {
    await using app = await startApp(bench);
    const browser = await launchChromium();
    try {
      const page = await (await app.openContext(browser)).newPage();
      await page.goto(`${app.baseUrl}/app/inbox`);
      await gesturesThere(page);
      const session = await page.context().newCDPSession(page);
      const half = (bench.isQuick ? changes / 10 : changes) / 2;
      const heaps: number[] = [];
      for (const part of ['warm', 'first', 'second']) {
        bench.signal.throwIfAborted();
        await changeTasks(app, page, part, part === 'warm' ? half / 10 : half);
        heaps.push(await heapMegabytes(session));
        bench.report(`${part}: ${heaps.at(-1)?.toFixed(1)} MB`);
      }
      const [, middle = Number.NaN, end = Number.NaN] = heaps;
      const megabytes = heaps.map((heap) => heap.toFixed(1)).join(', ');
      const note = `(${megabytes} MB at the start, after ${half} and ${2 * half})`;
      // Before that, each row gets its mark of who changed it.
      const ratio = Number((end / middle).toFixed(3));
      return [
        judgeCount(ratio, {
          what: 'heap of a tab after 20,000 changes, against half of them',
          bound: { atMost: 1.05 },
          unit: '×',
          note,
        }),
      ];
    } finally {
      await browser.close();
    }
  },
};

/** Titles, dates, done and open again: the account does not grow. Resolves when the page shows the last. */
async function changeTasks(app: App, page: Page, part: string, count: number): Promise<void> {
  const shownId = await page.locator('[data-row]').first().getAttribute('data-row');
  await withConnection(app.databaseUrl, async ({ sql }) => {
    const ids = await sql<{ id: string }>`
      select id from tasks.task where account_id = ${app.account.accountId}
        and status = 'open' and recurrence is null and id <> ${shownId} order by id`;
    let sent = 0;
    const write = async () => {
      const client = openRotatingClient(app.baseUrl, sql, app.account);
      while (sent < count) {
        sent += 1;
        await change(client, ids[(sent * 7) % ids.length]?.id ?? '', `${part} ${sent}`);
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
    const title = `Last of the ${part} part`;
    await openRotatingClient(app.baseUrl, sql, app.account).patch(`/tasks/${shownId}`, { title });
    await waitFor(() => page.locator('[data-row]', { hasText: title }).count(), {
      timeoutMilliseconds: 60_000,
      what: 'the last change on the screen',
    });
  });
}

/** One of ten ends the task and opens it again. */
async function change(client: ApiClient, id: string, title: string): Promise<void> {
  const responses = title.endsWith('0')
    ? [await client.post(`/tasks/${id}/complete`), await client.post(`/tasks/${id}/uncomplete`)]
    : [await client.patch(`/tasks/${id}`, { title })];
  const refused = responses.find(({ status }) => status !== 200);
  // Two writers may meet at one task.
  if (refused !== undefined && refused.status !== 409)
    throw new Error(`a change was answered ${refused.status}`);
}

async function heapMegabytes(session: CDPSession): Promise<number> {
  // The second run collects what finalizers released.
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}
