import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { handsOf } from '#tests/browser/walk.ts';
import { startStackWithMail } from '#tests/mail/mail-server.ts';
import { openAuthenticator } from '#tests/second-factor/second-factors.ts';
import { plugInAuthenticator } from '#tests/second-factor/virtual-authenticator.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { inspect, openWindow } from '#tests/support/shown-page.ts';
import { newcomer, newPerson, type Person } from './visitors.ts';

const browser = await launchChromium();
// Passkeys belong to a name.
const { mail, stack, close } = await startStackWithMail({
  hostName: 'localhost',
  environment: { PLAN_CONTACT: 'help@example.com' },
});
test.after.always(async () => {
  await browser.close();
  await close();
});

type Walk = {
  page: Page;
  open(path: string): Promise<void>;
  press(button: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  /** Waits for the page with that heading, and that text, and looks at it. */
  see(heading: string, picture: string, text?: string): Promise<void>;
  /** Looks at the message as a mail program shows it. Returns its link into the service. */
  readMail(address: string, subject: string): Promise<string>;
};

/** By keyboard alone. */
async function startWalk(t: ExecutionContext): Promise<Walk> {
  const window = await openWindow(t, browser);
  const { page, faults } = window;
  const hands = handsOf({ hands: 'keyboard' }, page, faults);
  await plugInAuthenticator(page);
  const message = await openWindow(t, browser);
  return {
    page,
    open: async (path) => void (await page.goto(stack.baseUrl + path)),
    press: (name) => hands.press(page.getByRole('button', { name, exact: true }).first()),
    fill: (label, text) => hands.write(page.getByLabel(label, { exact: true }), text),
    async see(heading, picture, text) {
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      if (text !== undefined) await page.getByText(text).first().waitFor();
      await page.waitForLoadState('load');
      await inspect(t, window, `accounts/${picture}`);
    },
    async readMail(address, subject) {
      const source = await mail.mailTo(address, subject);
      const markup = source.slice(source.indexOf('<!doctype html>'), source.indexOf('</html>') + 7);
      await message.page.setContent(markup);
      await inspect(t, message, `accounts/mail-${subject.toLowerCase().replaceAll(' ', '-')}`);
      const href = await message.page.getByRole('link').first().getAttribute('href');
      return String(href).slice(stack.baseUrl.length);
    },
  };
}

async function signIn({ open, fill, press }: Walk, { email, password }: Person, returnTo: string) {
  await open(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
  await fill('E-mail address', email);
  await fill('Password', password);
  await press('Sign in');
}

async function loseThePassword(walk: Walk, person: Person): Promise<void> {
  const { open, fill, press, see, readMail } = walk;
  await open('/sign-in/forgot');
  await see('Forgot your password?', 'forgot');
  await fill('E-mail address', person.email);
  await press('Send me a link');
  await see('Look into your mailbox', 'forgot-sent');
  await open(await readMail(person.email, 'Choose a new password'));
  await see('Choose a new password', 'reset');
  await fill('New password', 'password');
  await press('Save the new password');
  await see('Choose a new password', 'reset-refused', 'too easy to guess');
  await fill('New password', 'nine quiet harbours');
  await press('Save the new password');
  await see('Sign in', 'reset-done');
  await readMail(person.email, 'The password of your account was changed');
  person.password = 'nine quiet harbours';
}

async function signUp({ open, fill, press, see, readMail }: Walk): Promise<void> {
  const { email, password } = newcomer();
  await open('/sign-up');
  await see('Create an account', 'sign-up');
  await fill('E-mail address', email);
  await press('Send me the link');
  await see('Look into your mailbox', 'sign-up-sent');
  await open(await readMail(email, 'Confirm your address'));
  await fill('Password', password);
  await see('Create an account', 'sign-up-confirm');
}

async function setUpSecondFactors(walk: Walk, person: Person): Promise<void> {
  const { page, open, press, fill, see, readMail } = walk;
  await signIn(walk, person, '/settings/security');
  await see('Security', 'security-off');
  await press('Set up an authenticator app');
  await see('Set up an authenticator app', 'app-set-up');
  const app = openAuthenticator(await page.locator('#key').innerText());
  await fill('Code', '000000');
  await press('Turn it on');
  await see('Set up an authenticator app', 'app-refused', 'not the code');
  await fill('Code', app.codeAt(new Date()));
  await press('Turn it on');
  await see('Your recovery codes', 'recovery-codes');
  await open(await readMail(person.email, 'A second factor was added'));
  await see('Was it not you?', 'factor-undo');
  await open('/settings/security');
  await press('Add a passkey');
  await see('Security', 'security-on', 'The passkey is added.');

  await press('Sign out');
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  await signIn(walk, person, '/settings/plan');
  await see('One more step', 'second-factor');
  await fill('Code', '000000');
  await press('Go on');
  await see('One more step', 'second-factor-refused', 'code is wrong');
  await press('Use a passkey');
  await see('Plan', 'plan');
}

async function visitSettings({ open, press, fill, see, readMail }: Walk, person: Person): Promise<void> {
  await open('/settings/reminders');
  await see('Reminders', 'reminders');
  await open('/settings');
  const email = `new-${person.email}`;
  await fill('New e-mail address', email);
  await press('Send a link to it');
  await see('Profile', 'address-sent', 'on its way');
  await open(await readMail(email, 'Confirm your new address'));
  await see('Change your address?', 'address-confirm');
  await press('Use this address');
  await see('Your address is changed', 'address-changed');
  await open(await readMail(person.email, 'The address of your account'));
  await see('Take your address back?', 'address-undo');
  await stack.sql`update auth.browser_session set created_at = created_at - interval '1 hour',
    confirmed_at = confirmed_at - interval '1 hour' where account_id = ${person.accountId}`;
  await open('/settings/data');
  await see('Data', 'data');
  await press('Export everything');
  await see('Confirm it’s you', 'confirm');
  await fill('Your password', 'a wrong guess');
  await press('Go on');
  await see('Confirm it’s you', 'confirm-refused', 'not your password');
  await fill('Your password', person.password);
  await press('Go on');
  await see('Data', 'data-exported', 'The file is saved');
  await press('Delete my account');
  await see('Sign in', 'deletion-asked');
}

async function meetErrors({ page, open, press, fill, see }: Walk): Promise<void> {
  await open('/oauth/authorize?client_id=nobody&response_type=code');
  await see('This app can’t be connected', 'error-authorize');
  await open('/sign-in');
  await page.context().clearCookies();
  await fill('E-mail address', 'ada@example.com');
  await fill('Password', 'a wrong guess');
  await press('Sign in');
  await see('This form is no longer valid', 'error-form');
}

test('every page and mail of an account can be used by everybody', async (t) => {
  const person = await newPerson(stack, { plan: 'free' });
  const walk = await startWalk(t);
  await signUp(walk);
  await meetErrors(walk);
  await loseThePassword(walk, person);
  await setUpSecondFactors(walk, person);
  await visitSettings(walk, person);
});
