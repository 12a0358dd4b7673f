import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { startStackWithMail } from '#tests/mail/mail-server.ts';
import { untilWaiting, whileLocked } from '#tests/oauth/while-locked.ts';
import { newPerson, type Person, sessionsOf } from '#tests/pages/visitors.ts';
import { connectApp, trailOf, whileSignedOut } from '#tests/settings/signed-in-owner.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { openWindow, type ShownPage } from '#tests/support/shown-page.ts';
import { securityPath } from './second-factors.ts';
import { plugInAuthenticator } from './virtual-authenticator.ts';

const browser = await launchChromium();
const { mail, stack, close } = await startStackWithMail({ hostName: 'localhost' });
test.after.always(() => browser.close());
test.after.always(close);

type Visit = ShownPage & { person: Person };

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

async function signInByPassword(page: Page, person: Person, returnTo = securityPath): Promise<void> {
  await page.goto(`${stack.baseUrl}/sign-in?return_to=${encodeURIComponent(returnTo)}`);
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name (optional)').fill(name);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
}

/** A person with one passkey, signed out again. */
async function visitWithPasskey(t: ExecutionContext, { isOffered = false } = {}): Promise<Visit> {
  const person = await newPerson(stack);
  const window = await openWindow(t, browser);
  const { page } = window;
  await plugInAuthenticator(page, { isOffered });
  await signInByPassword(page, person);
  await heading(page, 'Security');
  await addPasskey(page, 'My “key”');
  await heading(page, 'Your recovery codes');
  await signOut(page);
  return { ...window, person };
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
}

/** The page has nothing else to do first. */
async function pressFocusedPasskeyButton(page: Page): Promise<void> {
  await page.locator('button:focus', { hasText: 'Use a passkey' }).waitFor();
  await page.keyboard.press('Enter');
}

test('a passkey signs in without name and password, and as second factor after them', async (t) => {
  const { page, person, faults } = await visitWithPasskey(t);
  await page.goto(`${stack.baseUrl}/sign-in?return_to=${securityPath}`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await heading(page, 'Security');
  await page.getByRole('heading', { name: 'My “key”' }).waitFor();
  t.not(await page.locator('dt:text-is("Last used") + dd').innerText(), 'Never');
  await signOut(page);

  await signInByPassword(page, person, '/settings/sessions');
  await heading(page, 'One more step');
  await pressFocusedPasskeyButton(page);
  await heading(page, 'Sessions');
  t.deepEqual(faults, []);
  t.deepEqual(
    (await trailOf(stack, person)).map(({ event }) => event),
    ['second_factor_added', 'signed_out', 'signed_out'],
  );
});

test('the sign-in page offers a passkey where the name is filled in', async (t) => {
  const { page } = await visitWithPasskey(t, { isOffered: true });
  await page.goto(`${stack.baseUrl}/sign-in?return_to=${securityPath}`);
  await heading(page, 'Security');
  t.pass();
});

test('Enter in the name field adds a passkey, also with a name that is too long', async (t) => {
  const { page } = await openWindow(t, browser);
  await plugInAuthenticator(page);
  await signInByPassword(page, await newPerson(stack));
  await page.getByLabel('Name (optional)').pressSequentially('x'.repeat(101));
  await page.keyboard.press('Enter');
  await heading(page, 'Your recovery codes');
  t.pass();
});

test('a browser without passkeys asks for no name of one', async (t) => {
  const { page, faults } = await openWindow(t, browser);
  await page.addInitScript('delete globalThis.PublicKeyCredential;');
  await signInByPassword(page, await newPerson(stack));
  await page.getByText('This browser can’t add a passkey here.').waitFor();
  t.is(await page.getByLabel('Name (optional)').count(), 0);
  t.deepEqual(faults, []);
});

test('a browser that cannot use the passkey asked for says so', async (t) => {
  const { person, faults } = await visitWithPasskey(t);
  const { page } = await openWindow(t, browser);
  await page.addInitScript('delete globalThis.PublicKeyCredential;');
  await signInByPassword(page, person);
  await heading(page, 'One more step');
  await page.getByText('This browser can’t use a passkey here.').waitFor();
  await page.getByLabel('Recovery code').fill('0000-0000-0000');
  await page.getByRole('button', { name: 'Go on' }).click();
  const refused = page.getByText('That code is wrong, or was used before.');
  t.is(await refused.innerText(), 'That code is wrong, or was used before.', 'without an app it names none');
  t.deepEqual(faults, []);
});

test('what a passkey signed counts once', async (t) => {
  const { page } = await visitWithPasskey(t);
  await page.goto(`${stack.baseUrl}/sign-in`);
  const statuses: number[] = [];
  await page.route('**/sign-in/passkey', async (route) => {
    const send = () => route.fetch({ maxRedirects: 0 });
    const answers = [await send(), await send()];
    statuses.push(...answers.map((answer) => answer.status()));
    await route.fulfill({ response: answers[1] });
  });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('That passkey was not accepted.').waitFor();
  t.deepEqual(statuses, [303, 400]);
});

test('a passkey confirms who it is; removed, it opens nothing', async (t) => {
  const { page, person } = await visitWithPasskey(t);
  await page.goto(`${stack.baseUrl}/sign-in?return_to=%2Fsettings%2Fapi`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await heading(page, 'API');
  await stack.sql`update auth.browser_session set created_at = created_at - interval '11 minutes'
    where account_id = ${person.accountId}`;
  await page.getByLabel('Name').fill('Backup');
  await page.getByRole('button', { name: 'Create the token' }).click();
  await heading(page, 'Confirm it’s you');
  await pressFocusedPasskeyButton(page);
  await heading(page, 'Copy your new token');

  await page.goto(`${stack.baseUrl}${securityPath}`);
  await page.locator('summary', { hasText: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove this passkey' }).click();
  await page.getByText('there is no second factor now, and the recovery codes no longer work').waitFor();
  await signOut(page);
  await page.goto(`${stack.baseUrl}/sign-in`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('trying again cannot help: use your password').waitFor();
  await signInByPassword(page, person);
  await heading(page, 'Security');
  t.pass();
});

test('a passkey that was made in a browser that is signed out meanwhile is not kept', async (t) => {
  const person = await newPerson(stack);
  const { page, faults } = await openWindow(t, browser);
  await plugInAuthenticator(page);
  await signInByPassword(page, person);
  await heading(page, 'Security');
  await whileSignedOut(stack, person, async () => {
    await addPasskey(page, 'Left behind');
    await page.getByText('You were signed out meanwhile: nothing was changed.').waitFor();
  });
  t.deepEqual(await stack.sql`select 1 from auth.passkey where account_id = ${person.accountId}`, []);
  t.deepEqual(faults, []);
});

test('a sign-in by a passkey fails while the link of its notice removes the passkey', async (t) => {
  const { page, person } = await visitWithPasskey(t);
  const link = await mail.linkTo(person.email, 'A second factor was added');
  const owner = createPageBrowser(stack.baseUrl);
  const undo = await owner.get(link);
  await page.goto(`${stack.baseUrl}/sign-in?return_to=${securityPath}`);
  await connectApp(stack, person);
  const statement = 'select from auth.oauth_grant where account_id = $1 for update';
  const held = { table: '', statement, values: [person.accountId], end: 'rollback' } as const;
  await whileLocked<unknown>(stack, held, () => [
    owner.submit(undo, '/sign-in/second-factor/undo'),
    untilWaiting(stack.sql, 'oauth_grant', 1).then(async () => {
      const answer = page.waitForResponse('**/sign-in/passkey');
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await answer;
    }),
  ]);
  t.deepEqual(await sessionsOf(stack, person), []);
});
