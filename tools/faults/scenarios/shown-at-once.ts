import type { Page } from 'playwright-core';
import { connectAssistant } from '#tests/assistant/assistant-client.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { percentile } from '../../statistics.ts';
import { type AppCluster, startAppCluster } from '../browsers/app-cluster.ts';
import { openSignedInContext } from '../browsers/signed-in-context.ts';
import { openRotatingClient } from '../rotating-client.ts';
import { missesOf, type Scenario } from '../scenario.ts';

const additions = 200;
const redisAwayMilliseconds = 10_000;
const most = { usually: 1_000, withoutRedis: 3_000 };

export const shownAtOnce: Scenario = {
  id: 'shown-at-once',
  fault:
    `${additions} tasks added over REST and /mcp while Today is open in Chromium, two replicas; ` +
    'then Redis stopped for 10 s and started',
  goal:
    `on the screen ≤ ${most.usually / 1_000} s after the request was sent at p99, ` +
    `≤ ${most.withoutRedis / 1_000} s from Redis' stop on`,
  async run(report) {
    await using parts = new AsyncDisposableStack();
    const app = await startAppCluster(parts);
    const browser = await launchChromium();
    parts.defer(() => browser.close());
    const context = await openSignedInContext(browser, await app.openSession());
    const page = await context.newPage();
    await page.goto(`${app.cluster.baseUrl}/app/`);
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    await page.evaluate(noteShownRows);
    const add = await openWriters(parts, app, page);
    const usual: number[] = [];
    while (usual.length < additions) usual.push(await add());
    const { redis } = app.cluster;
    await redis.stop();
    const stoppedAt = performance.now();
    const without: number[] = [];
    while (performance.now() - stoppedAt < redisAwayMilliseconds) without.push(await add());
    await redis.start();
    const startedAt = performance.now();
    while (performance.now() - startedAt < redisAwayMilliseconds) without.push(await add());
    const figures = (times: readonly number[]) =>
      `${times.length} tasks: median ${percentile(times, 0.5)} ms, ` +
      `p99 ${percentile(times, 0.99)} ms, longest ${Math.max(...times)} ms`;
    report(`usually ${figures(usual)}`);
    report(`from the stop of Redis on ${figures(without)}`);
    return {
      clientsSaw: `usually ${figures(usual)}; from the stop of Redis on ${figures(without)}`,
      misses: missesOf(
        [percentile(usual, 0.99) > most.usually, `usually ${figures(usual)}`],
        [Math.max(...without) > most.withoutRedis, `from the stop of Redis on ${figures(without)}`],
      ),
    };
  },
};

/** Adds a task, waits until it is shown, removes it; returns the milliseconds from request to screen. */
async function openWriters(
  parts: AsyncDisposableStack,
  { cluster, sql, account }: AppCluster,
  page: Page,
): Promise<() => Promise<number>> {
  const script = openRotatingClient(cluster.baseUrl, sql, account);
  const openAssistant = async () => {
    const { secret } = await createTestAccounts(sql).createToken(account);
    const assistant = await connectAssistant(cluster.baseUrl, secret);
    parts.defer(() => assistant.close());
    return assistant;
  };
  let assistant = await openAssistant();
  const dueDate = new Date().toISOString().slice(0, 10);
  let count = 0;
  return async () => {
    count += 1;
    // Below the limit of its token.
    if (count % 100 === 0) assistant = await openAssistant();
    const title = `Added ${count}`;
    const sentAt = Date.now();
    const added =
      count % 2 === 0
        ? assistant.call('add_tasks', { tasks: [{ title, dueDate }] })
        : script.post('/tasks', { title, dueDate });
    const shownAt = await waitFor(
      () => page.evaluate<number | null>(`globalThis.shownRows.get('${title}') ?? null`),
      {
        timeoutMilliseconds: 30_000,
        what: `${title} on the screen`,
      },
    );
    await added;
    // The list stays short enough to be drawn whole.
    if (count % 10 === 0) await removeAll(script);
    return Math.round(shownAt - sentAt);
  };
}

async function removeAll(script: ReturnType<typeof openRotatingClient>): Promise<void> {
  const { body } = await script.get<{ items: { id: string }[] }>('/tasks?view=today&limit=200');
  for (const { id } of body.items) await script.delete(`/tasks/${id}`);
}

/** Keeps when the frame with a new row was drawn, by its title; on the clock that Node has too. */
const noteShownRows = `{
  globalThis.shownRows = new Map();
  const look = () => {
    const titles = [...document.querySelectorAll('[data-row] .t')].map(({ textContent }) => textContent);
    const fresh = titles.filter((title) => !shownRows.has(title));
    for (const title of fresh) shownRows.set(title, undefined);
    if (fresh.length > 0)
      requestAnimationFrame(() => {
        for (const title of fresh) shownRows.set(title, performance.timeOrigin + performance.now());
      });
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}`;
