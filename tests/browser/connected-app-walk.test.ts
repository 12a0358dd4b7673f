import { randomUUID } from 'node:crypto';
import test from 'ava';
import { launchChromium } from '#tests/support/chromium.ts';
import { startStack } from '#tests/support/stack.ts';
import { startTinyApp } from './tiny-app.ts';
import { type Look, looks, startWalk, type Walk, withoutScript } from './walk.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

const password = 'seven quiet harbours';

type Account = { email: string };

function newAccount(): Promise<Account> {
  return stack.createAccount({ password, email: `${randomUUID().slice(0, 8)}@example.com` });
}

async function signIn({ page, write, press }: Walk, { email }: Account): Promise<void> {
  await write(page.getByLabel('E-mail address'), email);
  await write(page.getByLabel('Password'), password);
  await press(page.getByRole('button', { name: 'Sign in' }));
}

async function allow({ page, press }: Walk): Promise<void> {
  await press(page.getByRole('button', { name: 'Allow', exact: true }));
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
}

async function statusesOf(accessToken: string): Promise<number[]> {
  const client = stack.client(accessToken);
  const read = await client.get('/me');
  const write = await client.post('/tasks', { title: 'Written by the app' });
  return [read.status, write.status];
}

const appNames: Readonly<Record<string, string>> = {
  'phone-dark-without-script': `Assistant${'-with-a-name-without-blanks'.repeat(6)}`,
};

async function openWalk(t: Parameters<typeof startWalk>[0], look: Look) {
  const name = appNames[look.name] ?? 'Desk Assistant';
  const app = await startTinyApp(t, stack, name);
  const walk = await startWalk(t, browser, { name: 'app', look, origins: [stack.baseUrl, app.origin] });
  return { app, name, walk };
}

for (const look of looks) {
  test.serial(`an app is connected, used, listed and disconnected: ${look.name}`, async (t) => {
    const { app, name, walk } = await openWalk(t, look);
    const { page, see, press, flip, open } = walk;
    const account = await newAccount();
    await open(app.begin());
    await see('Sign in', 'sign-in');
    await signIn(walk, account);
    await see('use your tasks?', 'consent');
    t.true(await page.getByText(account.email).last().isVisible());
    await flip(page.getByRole('checkbox', { name: /^Write/ }));
    await see('use your tasks?', 'consent-without-write');
    await allow(walk);

    const answer = await app.answer();
    t.is(answer.get('state'), 'state-1');
    t.is(answer.get('iss'), stack.baseUrl);
    const { status, body: tokens } = await app.redeem(answer);
    t.like({ status, scope: tokens.scope }, { status: 200, scope: 'read' });
    t.deepEqual(await statusesOf(tokens.access_token), [200, 403]);

    await open(`${stack.baseUrl}/settings/apps`);
    await see('Connected apps', 'apps');
    const entry = page.getByRole('listitem').filter({ hasText: name });
    t.true(await entry.getByText('See your tasks').isVisible());
    t.false(await entry.getByText('Add tasks').isVisible());
    t.not(await entry.locator('dt:text-is("Last used") + dd').innerText(), 'Never');
    await press(entry.locator('summary'));
    await page.getByRole('button', { name: 'Disconnect this app' }).waitFor();
    await see('Connected apps', 'disconnect');
    await press(page.getByRole('button', { name: 'Disconnect this app' }));
    await page.getByText('The app has been disconnected').waitFor();
    await see('Connected apps', 'disconnected');
    t.deepEqual(await statusesOf(tokens.access_token), [401, 401]);
    t.like(await app.refresh(tokens.refresh_token), { status: 400, body: { error: 'invalid_grant' } });
    await press(page.getByRole('navigation').getByRole('link', { name: 'Security log' }));
    await see('Security log', 'activity');
    t.deepEqual(walk.faults, []);
  });

  test.serial(
    `a browser signed in is asked for no password and can change accounts: ${look.name}`,
    async (t) => {
      const { app, walk } = await openWalk(t, look);
      const { page, see, press, open } = walk;
      const [first, second] = [await newAccount(), await newAccount()];
      await open(`${stack.baseUrl}/sign-in?return_to=%2Fsettings`);
      await signIn(walk, first);
      await see('Profile', 'signed-in');

      await open(app.begin());
      await see('use your tasks?', 'consent-at-once');
      t.is(await page.getByLabel('Password').count(), 0);
      await allow(walk);
      const tokens = (await app.redeem(await app.answer())).body;
      t.deepEqual(await statusesOf(tokens.access_token), [200, 201]);

      await open(app.begin());
      await see('use your tasks?', 'consent-again');
      await press(page.getByRole('button', { name: 'Use another account' }));
      await see('Sign in', 'another-account');
      await signIn(walk, second);
      await see('use your tasks?', 'consent-of-another-account');
      t.true(await page.getByText(second.email).last().isVisible());
      t.is(await page.getByText(first.email).count(), 0);
      await press(page.getByRole('button', { name: 'Don’t allow' }));
      await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
      const answer = await app.answer();
      t.is(answer.get('error'), 'access_denied');
      t.is(answer.get('iss'), stack.baseUrl);
      t.false(answer.has('code'));
      await open(`${stack.baseUrl}/settings/apps`);
      t.true(await page.getByText('No app is connected').isVisible());
      t.deepEqual(walk.faults, []);
    },
  );
}

test.serial('who has no account makes one on the way and is asked then', async (t) => {
  const { app, walk } = await openWalk(t, withoutScript);
  const { page, see, press, write, open } = walk;
  await open(app.begin());
  await press(page.getByRole('link', { name: 'Create one' }));
  await see('Create an account', 'sign-up-on-the-way');
  const email = `${randomUUID()}@example.com`;
  await write(page.getByLabel('E-mail address'), email);
  await write(page.getByLabel('Password'), password);
  await press(page.getByRole('button', { name: 'Create the account' }));
  await see('use your tasks?', 'consent-after-sign-up');
  await allow(walk);
  const { status } = await app.redeem(await app.answer());
  t.is(status, 200);
  t.deepEqual(walk.faults, []);
});
