import test from 'ava';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { authorizationRequest, decide, registerClient } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { isSignedIn, newcomer, newPerson, newVisit } from '../pages/visitors.ts';
import { giveCode, givePassword, securityPath, setUpApp } from '../second-factor/second-factors.ts';
import { connectApp, trailOf, whileSignedOut } from '../settings/signed-in-owner.ts';
import { startStackWithMail } from './mail-server.ts';

const { mail, stack, close } = await startStackWithMail();
const { linkTo } = mail;
test.after.always(close);
const newBrowser = () => createPageBrowser(stack.baseUrl);
const newPassword = 'eleven loud harbours';

/** Opens the link and presses the button of its page. */
async function press(link: string, fields: Record<string, string> = {}, browser = newBrowser()) {
  const page = await browser.get(link);
  if (page.status !== 200) return page;
  return browser.submit(page, link.replace(/\?.*/, ''), fields);
}

async function askToSignUp(email: string, path = '/sign-up'): Promise<PageView> {
  const browser = newBrowser();
  return browser.submit(await browser.get(path), '/sign-up', { email });
}

async function askForAddress(browser: PageBrowser, email: string): Promise<PageView> {
  return browser.submit(await browser.get('/settings'), '/settings/address', { new_email: email });
}

const accountsWith = (email: string) => stack.sql`select id from auth.account where email = ${email}`;

test('an account is made when its address is confirmed, and by one use of the link', async (t) => {
  const { email, password } = newcomer();
  const asked = await askToSignUp(email, '/sign-up?return_to=%2Fsettings%2Fapi');
  t.deepEqual([asked.status, asked.heading], [200, 'Look into your mailbox']);
  const earlierLink = await linkTo(email, 'Confirm your address');
  t.deepEqual(await accountsWith(email), []);
  await askToSignUp(email, '/sign-up?return_to=%2Fsettings%2Fapi');
  const link = await waitFor(
    async () => {
      const newest = await linkTo(email, 'Confirm your address');
      return newest !== earlierLink && newest;
    },
    { timeoutMilliseconds: 30_000 },
  );

  const browser = newBrowser();
  const weak = await press(link, { password: 'password' }, browser);
  t.deepEqual([weak.status, weak.invalidFields], [400, ['password']]);
  const done = await press(link, { password, timezone: 'Asia/Tokyo' }, browser);
  t.deepEqual([done.status, done.location], [303, '/settings/api']);
  t.true(await isSignedIn(browser));
  t.is((await accountsWith(email)).length, 1);
  t.is((await press(link, { password })).heading, 'This link no longer works');
  const earlier = await press(earlierLink, { password });
  t.deepEqual([earlier.status, earlier.heading], [409, 'You have an account already']);
  t.true(earlier.links.some(({ href }) => href === '/sign-in'));
});

test('a link opened in another browser makes the account; the app waits in the first one', async (t) => {
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  const { parameters } = authorizationRequest(await registerClient({ endpoints }));
  const start = newBrowser();
  const asked = await start.get(endpoints.authorizeUrl(parameters));
  const linkOn = (page: PageView, path: string) =>
    page.links.find(({ href }) => href.startsWith(`${path}?`))?.href ?? '';
  const signUp = await start.get(linkOn(asked, '/sign-up'));
  const { email, password } = newcomer();
  const waiting = await start.submit(signUp, '/sign-up', { email });
  t.true(waiting.text.includes('sign in from here to go on'));

  const phone = newBrowser();
  const done = await press(await linkTo(email, 'Confirm your address'), { password }, phone);
  const elsewhere = await phone.follow(done);
  t.is(elsewhere.heading, 'Go back to where you started');
  t.true(elsewhere.text.includes('Your account is ready, and you are signed in here.'));
  const signIn = await start.get(linkOn(waiting, '/sign-in'));
  const consent = await start.follow(await start.submit(signIn, '/sign-in', { email, password }));
  t.is(consent.heading, 'Let “Test app” use your tasks?');
  await decide(start, consent, { scopes: ['read'] });
  t.regex(await mail.mailTo(email, 'An app was connected'), /Allowed: Read only/);
});

test('the page answers the same for an address that has an account, and its owner is told', async (t) => {
  const person = await newPerson(stack);
  const { email } = newcomer();
  const [known, unknown] = [await askToSignUp(person.email.toUpperCase()), await askToSignUp(email)];
  t.is(known.status, unknown.status);
  t.is(known.text.replace(person.email.toUpperCase(), ''), unknown.text.replace(email, ''));
  const message = await mail.mailTo(person.email, 'You have an account already');
  t.regex(message, /From: 127\.0\.0\.1/);
  t.notRegex(message, /link=/);
});

test('of two uses of a sign-up link at once one makes the account', async (t) => {
  const { email } = newcomer();
  await askToSignUp(email);
  const link = await linkTo(email, 'Confirm your address');
  const uses = ['twelve loud harbours', 'thirteen loud harbours'].map((password) =>
    press(link, { password }),
  );
  t.deepEqual((await Promise.all(uses)).map(({ status }) => status).toSorted(), [303, 400]);
  t.is((await accountsWith(email)).length, 1);
});

test('an address is changed when the new one is confirmed; the former one is told', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { email } = newcomer();
  t.is((await askForAddress(browser, email)).status, 303);
  const profile = await browser.get('/settings');
  t.regex(profile.text, /A message to the new address is on its way/);
  t.true(profile.text.includes(`Your address changes to ${email} when you open the link`));
  const link = await linkTo(email, 'Confirm your new address');
  const question = (await newBrowser().get(link)).text;
  t.true(question.includes(`The account of ${person.email} gets the address ${email}`));
  t.true(question.includes('Your present address is told, and can take this back for 7 days.'));
  t.is((await accountsWith(person.email)).length, 1);

  t.is((await press(link)).heading, 'Your address is changed');
  t.is((await press(link)).heading, 'This link no longer works');
  t.true(await isSignedIn(browser));
  await newBrowser().signIn({ email, password: person.password });
  await t.throwsAsync(newBrowser().signIn(person));
  t.deepEqual(
    (await trailOf(stack, person)).map(({ event, subjectName }) => [event, subjectName]),
    [['address_changed', person.email]],
  );
  const notice = await mail.mailTo(person.email, 'The address of your account was changed');
  t.true(notice.includes(email));
  t.regex(notice, /From: 127\.0\.0\.1/);
});

test('a change of address is pending until cancelled, also to an address that is taken', async (t) => {
  const { browser } = await newVisit(stack);
  const pending = /Your address changes to \S+ when you open/;
  await askForAddress(browser, (await newPerson(stack)).email);
  t.regex((await browser.get('/settings')).text, pending);
  const { email } = newcomer();
  await askForAddress(browser, email);
  const link = await linkTo(email, 'Confirm your new address');
  const cancelled = await browser.submit(await browser.get('/settings'), '/settings/address/cancel');
  const profile = await browser.follow(cancelled);
  t.true(profile.text.includes('Your address stays as it is'));
  t.notRegex(profile.text, pending);
  t.is((await press(link)).heading, 'This link no longer works');
});

test('a link that was sent works on while an address gets no further ones', async (t) => {
  const { browser } = await newVisit(stack);
  const { email } = newcomer();
  await askForAddress(browser, email);
  const link = await linkTo(email, 'Confirm your new address');
  for (let count = 0; count < 5; count += 1) await askToSignUp(email);
  t.is((await askForAddress(browser, email)).status, 303);
  t.is((await press(link)).heading, 'Your address is changed');
});

test('the former address takes the account back: everybody is out, and a password is chosen', async (t) => {
  const { browser, person } = await newVisit(stack);
  await connectApp(stack, person);
  const [second, third] = [newcomer().email, newcomer().email];
  await askForAddress(browser, second);
  await press(await linkTo(second, 'Confirm your new address'));
  const undo = await linkTo(person.email, 'The address of your account was changed');
  await askForAddress(browser, third);
  await press(await linkTo(third, 'Confirm your new address'));
  const laterUndo = await linkTo(second, 'The address of your account was changed');

  const owner = newBrowser();
  const undone = await press(undo, {}, owner);
  t.is(undone.status, 303);
  t.false(await isSignedIn(browser));
  const apps = await stack.sql`select id from auth.oauth_grant where account_id = ${person.accountId}`;
  t.deepEqual(apps, []);
  await t.throwsAsync(newBrowser().signIn(person), undefined, 'the password no longer counts');
  t.is((await press(laterUndo)).heading, 'This link no longer works');
  t.is((await press(undo)).heading, 'This link no longer works');
  const reset = await owner.get(undone.location ?? '');
  t.true(reset.text.includes('The change is taken back. All browsers are signed out'));
  t.false(reset.form('/sign-in/reset').names.has('revoke_tokens'));
  const weak = await owner.submit(reset, '/sign-in/reset', { password: 'password' });
  t.true(weak.text.includes('The change is taken back.'));
  t.is((await owner.submit(reset, '/sign-in/reset', { password: newPassword })).status, 303);
  await newBrowser().signIn({ email: person.email, password: newPassword });
});

/** Somebody at the owner's browser changes the address; the owner reverts it and changes the password. */
async function takeAddressBack(browser: PageBrowser, { email }: { email: string }) {
  const other = newcomer().email;
  await askForAddress(browser, other);
  await press(await linkTo(other, 'Confirm your new address'));
  const owner = newBrowser();
  const undone = await press(await linkTo(email, 'The address of your account was changed'), {}, owner);
  const reset = await owner.get(undone.location ?? '');
  await owner.submit(reset, '/sign-in/reset', { password: newPassword });
  return { email, password: newPassword };
}

test('tokens and second factors of whoever changed the address end when it is taken back', async (t) => {
  const { browser, person } = await newVisit(stack);
  const token = await stack.createToken(person);
  const { codes } = await setUpApp(browser, new Date());
  t.is(codes.length, 10);

  const login = await takeAddressBack(browser, person);
  t.is((await stack.client(token).get('/me')).status, 401);
  const owner = newBrowser();
  await owner.signIn(login);
  t.true(await isSignedIn(owner), 'no second factor is asked for');
  t.is((await setUpApp(owner, new Date())).codes.length, 10, 'codes that somebody else has seen are gone');
});

test('an owner whom somebody else’s second factor keeps out gets in by the notice of it', async (t) => {
  const { browser, person } = await newVisit(stack);
  const token = await stack.createToken(person);
  await setUpApp(browser, new Date());
  const link = await linkTo(person.email, 'A second factor was added');
  const owner = newBrowser();
  const undone = await press(link, {}, owner);
  t.is(undone.status, 303);
  const removed = await mail.mailTo(person.email, 'A second factor of your account was removed');
  t.regex(removed, /Your password alone signs you in now/);
  t.false(await isSignedIn(browser));
  t.is((await stack.client(token).get('/me')).status, 401);
  await t.throwsAsync(newBrowser().signIn(person), undefined, 'the password no longer counts');
  const reset = await owner.get(undone.location ?? '');
  await owner.submit(reset, '/sign-in/reset', { password: newPassword });
  await owner.signIn({ email: person.email, password: newPassword });
  t.true(await isSignedIn(owner), 'no second factor is asked for');
  t.is((await press(link)).heading, 'This link no longer works');
});

test('a second factor beside an earlier one is undone by mail once the earlier is removed', async (t) => {
  const { browser, person } = await newVisit(stack);
  await stack.sql`insert into auth.passkey
    (id, account_id, credential_id, public_key, sign_count, transports, name, created_at)
    values (${person.accountId}, ${person.accountId}, ${person.accountId}, '', 0, '{}',
      'own', now() - interval '8 days')`;
  await setUpApp(browser, new Date());
  const notice = await mail.mailTo(person.email, 'A second factor was added');
  t.notRegex(notice, /link=/);
  t.regex(notice, /\/settings\/security/);

  await browser.submit(
    await browser.get(securityPath),
    `${securityPath}/passkeys/${person.accountId}/remove`,
  );
  await press(await linkTo(person.email, 'A second factor of your account was removed'));
  const left = await stack.sql`select from auth.authenticator_app where account_id = ${person.accountId}`;
  t.is(left.length, 0);
});

test('undoing a change of address keeps older second factors, without later recovery codes', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { codes: own } = await setUpApp(browser, new Date());
  await stack.sql`update auth.authenticator_app set created_at = now() - interval '8 days'
    where account_id = ${person.accountId}`;
  await stack.sql`update auth.recovery_code set created_at = now() - interval '8 days'
    where account_id = ${person.accountId} and look_up <> ${own[0]?.slice(0, 4) ?? ''}`;

  const login = await takeAddressBack(browser, person);
  for (const [code = '', status] of [
    [own[0], 400],
    [own[1], 303],
  ] as const) {
    const visit = await givePassword(stack, login);
    t.is((await giveCode(visit.browser, visit.page, code)).status, status);
  }
});

test('an address that was given up is nobody else’s while it can be taken back', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { email } = newcomer();
  await askForAddress(browser, email);
  await press(await linkTo(email, 'Confirm your new address'));
  await askToSignUp(person.email);
  const refused = await press(await linkTo(person.email, 'Confirm your address'), { password: newPassword });
  t.deepEqual([refused.status, refused.invalidFields], [400, ['email']]);
  await stack.sql`update auth.former_address set expires_at = now() where account_id = ${person.accountId}`;
  const made = await press(await linkTo(person.email, 'Confirm your address'), { password: newPassword });
  t.is(made.status, 303);
});

test('the settings answer the same for another account’s address, and its owner is told', async (t) => {
  const { browser, person } = await newVisit(stack);
  const other = await newPerson(stack);
  t.is((await askForAddress(browser, other.email)).status, 303);
  t.notRegex(await mail.mailTo(other.email, 'Your address was entered'), /link=/);
  t.is((await accountsWith(person.email)).length, 1);
});

test('an account sends few links to other addresses in an hour', async (t) => {
  const { browser } = await newVisit(stack);
  const addresses = Array.from({ length: 6 }, () => newcomer().email);
  const answers = [];
  for (const email of addresses) answers.push(await askForAddress(browser, email));
  t.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303, 303, 303, 429],
  );
  const last = answers.at(-1);
  t.deepEqual(last?.invalidFields, ['new_email']);
  t.true(Number(last?.headers.get('retry-after')) > 0);
});

test('another password cancels a change of address that was asked for', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { email } = newcomer();
  await askForAddress(browser, email);
  const link = await linkTo(email, 'Confirm your new address');
  const fields = { current_password: person.password, new_password: newPassword };
  await browser.submit(await browser.get('/settings'), '/settings/password', fields);
  t.is((await newBrowser().get(link)).heading, 'This link no longer works');
  t.is((await accountsWith(person.email)).length, 1);
});

test('a change of address is asked for after a fresh sign-in alone', async (t) => {
  const { browser, person } = await newVisit(stack);
  await stack.sql`update auth.browser_session set created_at = created_at - interval '11 minutes'
    where account_id = ${person.accountId}`;
  const { email } = newcomer();
  const asked = await askForAddress(browser, email);
  t.is(asked.heading, 'Confirm it’s you');
  const proof = { confirm_password: person.password };
  t.is((await browser.submit(asked, '/settings/address', proof)).status, 303);
  await linkTo(email, 'Confirm your new address');
});

test('a change of address is not asked for by a browser that is signed out meanwhile', async (t) => {
  const { browser, person } = await newVisit(stack);
  const page = await browser.get('/settings');
  const send = () => browser.submit(page, '/settings/address', { new_email: newcomer().email });
  const answer = await whileSignedOut(stack, person, send);
  t.regex(answer.location ?? '', /notice=signed-out/);
  t.deepEqual(await stack.sql`select kind from auth.mail_link where account_id = ${person.accountId}`, []);
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

test('a sign-in in a new browser sends one notice to the owner', async (t) => {
  const person = await newPerson(stack);
  const browser = createPageBrowser(stack.baseUrl, { userAgent: firefox });
  await browser.signIn(person);
  await browser.submit(await browser.get('/sign-out'), '/sign-out');
  await browser.signIn(person);
  const message = await mail.mailTo(person.email, 'A new browser signed in');
  t.regex(message, /With: Firefox on Linux/);
  t.regex(message, /From: 127\.0\.0\.1/);
  t.regex(message, /\/settings\/sessions/);
  await untilNothingIsQueued();
  const received = () => mail.received.filter(({ to }) => to.includes(person.email)).length;
  t.is(received(), 1);
  await createPageBrowser(stack.baseUrl, { userAgent: firefox }).signIn(person);
  await waitFor(() => received() === 2, { timeoutMilliseconds: 30_000, what: 'the other browser' });
});

test('a new personal token sends a notice with its name to the owner', async (t) => {
  const { browser, person } = await newVisit(stack);
  const page = await browser.get('/settings/api');
  await browser.submit(page, '/settings/api', { name: 'Report\u2800 <b> 👨‍👩‍👧', scope: ['read'] });
  const message = await mail.mailTo(person.email, 'A personal token');
  t.true(message.includes('The personal token “Report <b> 👨‍👩‍👧” was created.'));
  t.regex(message, /Report &lt;b&gt;/);
});

test('wrong codes are mailed to the owner once, a used recovery code with how many are left', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { codes } = await setUpApp(browser, new Date());
  t.regex(await mail.mailTo(person.email, 'A second factor was added'), /An authenticator app was added/);
  const guess = await givePassword(stack, person);
  for (let count = 1; count <= 7; count++)
    t.is((await giveCode(guess.browser, guess.page, '000000')).status, 400);
  await mail.mailTo(person.email, 'Somebody entered your password');
  t.is((await giveCode(guess.browser, guess.page, codes[0] ?? '')).status, 303);
  t.regex(await mail.mailTo(person.email, 'A recovery code was used'), /Codes left: 9/);
  await untilNothingIsQueued();
  const warnings = mail.received.filter(
    ({ to, source }) =>
      to.includes(person.email) && source.replaceAll('=\r\n', '').includes('somebody knows your password'),
  );
  t.is(warnings.length, 1);
});

async function untilNothingIsQueued(): Promise<void> {
  await waitFor(
    async () => {
      const waiting = await stack.sql`select id from jobs.job where state not in ('completed', 'failed')`;
      return waiting.length === 0;
    },
    { timeoutMilliseconds: 30_000 },
  );
}
