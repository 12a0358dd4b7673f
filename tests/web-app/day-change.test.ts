import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { makeTask } from '#tests/support/factories.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { openApp } from './app-window.ts';
import { rowOf, showsTitles } from './page-steps.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

const today = Temporal.Now.plainDateISO('UTC');
const tomorrow = today.add({ days: 1 }).toString();

test.serial('at midnight the page moves on by itself and asks for nothing', async (t) => {
  const app = await openApp(t, browser, stack);
  const { page, script } = app;
  await makeTask(script, { title: 'Of today', dueDate: today.toString() });
  await makeTask(script, { title: 'Of tomorrow', dueDate: tomorrow });
  await page.clock.install({ time: `${today}T23:59:30Z` });
  await app.visit('/app/');
  await showsTitles(page, 'Of today');
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const texts = page.waitForResponse('**/app/api/v1/rows');
  // Texts for offline come when the page has nothing else to do.
  await page.clock.fastForward(15_000);
  await texts;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.clock.fastForward(16_000);
  await showsTitles(page, 'Of today', 'Of tomorrow');
  await rowOf(page, 'Of today').getByText('Yesterday').waitFor();
  t.deepEqual(
    requests.filter((path) => path.startsWith('/app/api/') && !path.endsWith('/live')),
    [],
  );
});

test.serial('what was done «just now» is minutes old after some minutes', async (t) => {
  const app = await openApp(t, browser, stack);
  const { page, script } = app;
  await page.clock.install();
  await makeTask(script, { title: 'New' });
  await app.visit('/app/');
  const strip = page.locator('.strip', { hasText: 'Nightly script' });
  await strip.getByText('just now').waitFor();
  await page.clock.fastForward(150_000);
  await strip.getByText('2 min. ago').waitFor();
  t.deepEqual(app.faults, []);
});

test.serial('another zone of the account is another day on the open page', async (t) => {
  const app = await openApp(t, browser, stack);
  const { page, person, script } = app;
  const isLateInUtc = Temporal.Now.plainTimeISO('UTC').hour >= 11;
  const zone = isLateInUtc ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';
  const there = Temporal.Now.plainDateISO(zone);
  await makeTask(script, { title: 'Of here', dueDate: today.toString() });
  await makeTask(script, { title: 'Of there', dueDate: there.toString() });
  await app.visit(isLateInUtc ? '/app/' : '/app/upcoming');
  const settings = createPageBrowser(stack.baseUrl);
  await settings.signIn(person);
  await settings.submit(await settings.get('/settings'), '/settings/timezone', { timezone: zone });
  if (isLateInUtc) await showsTitles(page, 'Of here', 'Of there');
  else await showsTitles(page, 'Of here');
  t.deepEqual(app.faults, []);
});
