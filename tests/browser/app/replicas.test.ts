import test from 'ava';
import { openProxiedRedis } from '#tests/stores/store-proxies.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { showsTitles, waitFor } from './page-steps.ts';

const browser = await launchChromium();
test.after.always(() => browser.close());

test.serial('a page shows what another replica wrote, also while Redis is gone', async (t) => {
  const { proxy, url } = await openProxiedRedis(t);
  let chosen: 0 | 1 = 0;
  const stack = await startStack(t, {
    withAuthServer: true,
    redisUrl: url,
    chooseReplica: (service) => (service === 'resource-api' ? chosen : 0),
  });
  const app = await openApp(t, browser, stack);
  const { page, script } = app;
  const live = page.waitForResponse('**/app/api/v1/live');
  await app.visit('/app/inbox');
  await live;
  chosen = 1;
  await makeTask(script, { title: 'With Redis' });
  await showsTitles(page, 'With Redis');
  proxy.setMode('refuse');
  await makeTask(script, { title: 'Without' });
  await showsTitles(page, 'Without', 'With Redis');
  proxy.setMode('pass');
  await waitFor(async () => (await script.get('/me')).status === 200);
  t.deepEqual(app.faults, []);
});
