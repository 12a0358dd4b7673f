import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import type { Identity } from '#tests/support/api-types.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { accessibilityFaults } from '#tests/support/shown-page.ts';
import { startStack } from '#tests/support/stack.ts';
import type { TestAccount } from '#tests/support/test-accounts.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type Look, looks, onDesktop, startWalk, type Walk, withoutScript } from './walk.ts';

const browser = await launchChromium();
const stack = await startStack(test, { withAuthServer: true });
test.after.always(() => browser.close());

const password = 'seven quiet harbours';
const tokenName = 'Weekly backup of everything that I have ever planned, to the disk in the hall cupboard';

async function openWalk(t: ExecutionContext, look: Look): Promise<Walk> {
  return startWalk(t, browser, { name: 'token', look, origins: [stack.baseUrl] });
}

async function signUp(walk: Walk, email: string): Promise<void> {
  const { page, write, press, open, see } = walk;
  await open(stack.baseUrl);
  await see('Tasks', 'front-page');
  await page.getByRole('link', { name: 'Create an account' }).waitFor();
  await open(`${stack.baseUrl}/sign-up?return_to=%2Fsettings%2Fapi`);
  await see('Create an account', 'sign-up');
  await write(page.getByLabel('E-mail address'), email);
  await write(page.getByLabel('Password'), password);
  await press(page.getByRole('button', { name: 'Create the account' }));
  await see('API', 'no-tokens');
}

/** Makes a token that may read and write, and returns its secret as its owner takes it along. */
async function createToken(walk: Walk, look: Look): Promise<string> {
  const { page, write, flip, press, see } = walk;
  await write(page.getByLabel('Name'), tokenName);
  await flip(page.getByRole('checkbox', { name: /^Write/ }));
  await chooseLastDay(walk, look);
  await press(page.getByRole('button', { name: 'Create the token' }));
  await see('Copy your new token', 'secret');
  const shown = await page.locator('#secret').innerText();
  if (!look.hasScript) return shown;
  await press(page.getByRole('button', { name: 'Copy' }).first());
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  return page.evaluate('navigator.clipboard.readText()');
}

/** By keyboard it is typed part by part, in the order of whatever country the browser thinks of. */
async function chooseLastDay({ page, write }: Walk, { hands }: Look): Promise<void> {
  const field = page.getByLabel('Last day (optional)');
  if (hands === 'mouse') return write(field, '2099-11-11');
  await page.keyboard.press('Tab');
  await page.keyboard.type('11112099');
}

for (const look of looks) {
  test.serial(`a stranger signs up, makes a token, uses it and revokes it: ${look.name}`, async (t) => {
    const walk = await openWalk(t, look);
    const { page, press, write, open, see } = walk;
    const email = `${randomUUID()}@example.com`;
    await signUp(walk, email);
    const secret = await createToken(walk, look);
    t.regex(secret, /^tms_[0-9A-Za-z]{43}$/);

    const client = stack.client(secret);
    const { status, body } = await client.get<Identity>('/me');
    t.is(status, 200);
    t.like(body, { tokenName, scopes: ['read', 'write'] });
    t.is(body.timezone, look.hasScript ? 'Europe/Berlin' : 'UTC');
    t.is((await client.post('/tasks', { title: 'Made with my own token' })).status, 201);

    await press(page.getByRole('link', { name: /back to my tokens/ }));
    await see('API', 'unused-token');
    await waitFor(
      async () => {
        await page.reload();
        return (await page.locator('dt:text-is("Last used") + dd').innerText()) !== 'Never';
      },
      { what: 'the last use of the token', timeoutMilliseconds: 20_000 },
    );
    await see('API', 'tokens');
    await press(page.locator('summary', { hasText: 'Revoke…' }));
    await page.getByRole('button', { name: 'Revoke this token' }).waitFor();
    await see('API', 'revoke');
    await press(page.getByRole('button', { name: 'Revoke this token' }));
    await page.getByText('The token has been revoked').waitFor();
    await see('API', 'revoked');
    t.is((await client.get('/me')).status, 401);

    await press(page.getByRole('button', { name: 'Sign out' }));
    await see('Tasks', 'signed-out');
    await open(`${stack.baseUrl}/settings/activity`);
    await see('Sign in', 'sign-in');
    await write(page.getByLabel('E-mail address'), email);
    await write(page.getByLabel('Password'), password);
    await press(page.getByRole('button', { name: 'Sign in' }));
    await see('Security log', 'activity');
    for (const [tab, picture] of [
      ['Sessions', 'sessions'],
      ['Connected apps', 'no-apps'],
      ['Profile', 'profile'],
    ] as const) {
      await press(page.getByRole('navigation').getByRole('link', { name: tab }));
      await see(tab, picture);
    }
    t.deepEqual(walk.faults, []);
  });
}

async function signIn(t: ExecutionContext, look: Look, { email }: TestAccount): Promise<Walk> {
  const walk = await startWalk(t, browser, { name: 'data', look, origins: [stack.baseUrl] });
  const { page, write, press, open, see } = walk;
  await open(`${stack.baseUrl}/sign-in?return_to=%2Fsettings%2Fdata`);
  await write(page.getByLabel('E-mail address'), email);
  await write(page.getByLabel('Password'), password);
  await press(page.getByRole('button', { name: 'Sign in', exact: true }));
  await see('Data', 'data');
  return walk;
}

/** The page’s work is done by script. */
const onPhone = { ...withoutScript, name: 'phone-dark', hasScript: true };

test.serial('a page whose export was cut off leads back to another one', async (t) => {
  const owner = await stack.newClient({ password });
  const { page, press } = await signIn(t, onPhone, owner.account);
  await page.route('**/app/api/v1/export', (route) => route.abort('connectionreset'), { times: 1 });
  await press(page.getByRole('button', { name: 'Export everything' }));
  await page.getByText('The connection was lost').waitFor();
  await press(page.getByRole('link', { name: 'Back to the export' }));
  await press(page.getByRole('button', { name: 'Export everything' }));
  await page.getByText('The file is saved').waitFor();
  t.pass();
});

test.serial('all is saved to a file and read into another account, and the account deleted', async (t) => {
  const owner = await stack.newClient({ plan: 'premium', password, scopes: ['read', 'write'] });
  await owner.post('/tasks', { title: 'Water the plants', description: '*Twice*' });
  const first = await signIn(t, onPhone, owner.account);
  const saving = first.page.waitForEvent('download');
  await first.press(first.page.getByRole('button', { name: 'Export everything' }));
  const download = await saving;
  t.regex(download.suggestedFilename(), /^tasks-\d{4}-\d\d-\d\d\.json$/);
  await first.page.getByText('The file is saved').waitFor();
  await first.see('Data', 'exported');
  const file = await download.path();
  t.like(JSON.parse(await readFile(file, 'utf8')).tasks[0], { title: 'Water the plants' });

  const heir = await stack.newClient({ plan: 'premium', password, scopes: ['read', 'write'] });
  const second = await signIn(t, onDesktop, heir.account);
  const { page, press, see } = second;
  await page
    .getByLabel('File')
    .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{') });
  await press(page.getByRole('button', { name: 'Import the file' }));
  await page.getByText('the file ends too early').waitFor();
  await see('Data', 'refused');
  t.deepEqual(await accessibilityFaults(page), []);
  await page.getByLabel('File').setInputFiles(file);
  const asksToStay = () => page.evaluate('!dispatchEvent(new Event("beforeunload", { cancelable: true }))');
  const asked: unknown[] = [];
  await page.route('**/imports/*/run', async (route) => {
    asked.push(await asksToStay());
    await route.continue();
  });
  await press(page.getByRole('button', { name: 'Import the file' }));
  await page.getByText('Imported: 1 task,').waitFor();
  t.deepEqual([...asked, await asksToStay()], [true, false]);
  await see('Data', 'imported');
  t.deepEqual(await accessibilityFaults(page), []);
  const { body } = await heir.get<{ items: { title: string }[] }>('/tasks');
  t.is(body.items[0]?.title, 'Water the plants');

  await press(page.locator('summary', { hasText: 'Delete my account' }));
  await see('Data', 'delete');
  await press(page.getByRole('button', { name: 'Delete my account' }));
  await see('Sign in', 'deleted');
  await page.getByText('signed out everywhere').waitFor();
  t.is((await heir.get('/me')).status, 401);
  t.deepEqual([...first.faults, ...second.faults], []);
});

test.serial('without script nothing is exported or imported, and the page says why', async (t) => {
  const { account } = await stack.newClient({ password });
  const { page } = await signIn(t, withoutScript, account);
  t.deepEqual(await page.locator('noscript p').allInnerTexts(), [
    'Exporting needs JavaScript, which is off in this browser.',
    'Importing needs JavaScript, which is off in this browser.',
  ]);
  t.is(await page.getByRole('button', { name: /^(Export|Import)/ }).count(), 0);
});

test.serial('a form whose button is pressed twice is sent once', async (t) => {
  const { page } = await startWalk(t, browser, { name: 'twice', look: onPhone, origins: [stack.baseUrl] });
  await page.goto(`${stack.baseUrl}/sign-up?return_to=%2Fsettings`);
  await page.getByLabel('E-mail address').fill(`${randomUUID()}@example.com`);
  await page.getByLabel('Password').fill(password);
  let sent = 0;
  const pressedTwice = Promise.withResolvers<void>();
  await page.route(`${stack.baseUrl}/sign-up`, async (route) => {
    sent += 1;
    await pressedTwice.promise;
    await route.continue();
  });
  const button = page.getByRole('button', { name: 'Create the account' });
  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
  await page.mouse.click(x + 9, y + 9);
  await waitFor(() => sent > 0, { what: 'the form' });
  await page.mouse.click(x + 9, y + 9);
  pressedTwice.resolve();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  t.is(sent, 1);
});

test.serial('neither Back nor a reload offers to send a refused form again', async (t) => {
  const { account } = await stack.newClient({ password });
  const { page } = await startWalk(t, browser, { name: 'back', look: onPhone, origins: [stack.baseUrl] });
  const send = async (typed: string) => {
    await page.getByLabel('Password').fill(typed);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await page.goto(`${stack.baseUrl}/sign-in?return_to=%2Fsettings%2Fsecurity`);
  await page.getByLabel('E-mail address').fill(account.email);
  await send('a wrong one');
  await page.getByText('the password is wrong').waitFor();
  await page.reload();
  await page.getByLabel('E-mail address').fill(account.email);
  await send('another wrong one');
  await page.getByText('the password is wrong').waitFor();
  await send(password);
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
  await page.goBack();
  await page.waitForURL(`${stack.baseUrl}/settings/security`);
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await page.getByRole('heading', { level: 1, name: 'Set up an authenticator app' }).waitFor();
  await page.goto(`${stack.baseUrl}/settings/data`);
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
  t.pass();
});
