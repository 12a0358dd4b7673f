import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { adminOf } from '../admin/run-admin.ts';
import { isSignedIn, newPerson, newVisit } from '../pages/visitors.ts';
import { givePassword, setUpApp } from '../second-factor/second-factors.ts';
import { connectApp } from '../settings/signed-in-owner.ts';
import { startStackWithMail } from './mail-server.ts';

const { mail, stack, close } = await startStackWithMail();
const { linkTo } = mail;
const admin = adminOf(stack);
test.after.always(close);
const newBrowser = () => createPageBrowser(stack.baseUrl);
const newPassword = 'eleven loud harbours';

async function askForLink(email: string) {
  const browser = newBrowser();
  const form = await browser.get('/sign-in/forgot');
  return browser.submit(form, '/sign-in/forgot', { email });
}

async function linkOfOperator(email: string): Promise<string> {
  return (await admin('account', 'reset-link', '--email', email)).url;
}

async function choosePassword(link: string, password = newPassword) {
  const browser = newBrowser();
  const form = await browser.get(link);
  if (form.status !== 200) return form;
  return browser.submit(form, '/sign-in/reset', { password });
}

test('a forgotten password is replaced by a link that was sent, once', async (t) => {
  const { person, browser } = await newVisit(stack);
  await connectApp(stack, person);
  t.is((await askForLink(` ${person.email.toUpperCase()} `)).status, 200);
  const message = await mail.mailTo(person.email, 'Choose a new password');
  t.regex(message, /^Auto-Submitted: auto-generated/m);
  const link = await linkTo(person.email, 'Choose a new password');

  t.is((await newBrowser().get(link)).status, 200);
  const short = await choosePassword(link, 'short');
  t.is(short.status, 400);
  const done = await choosePassword(link);
  t.deepEqual([done.status, done.location], [303, '/sign-in?notice=password-reset']);

  t.is((await choosePassword(link, 'twelve loud harbours')).status, 400);
  t.false(await isSignedIn(browser));
  const apps = await stack.sql`select id from auth.oauth_grant where account_id = ${person.accountId}`;
  t.is(apps.length, 0);
  const signedIn = newBrowser();
  await signedIn.signIn({ email: person.email, password: newPassword });
  t.true(await isSignedIn(signedIn));
  t.regex(
    await mail.mailTo(person.email, 'The password of your account was changed'),
    /Choose another password:\s+\S+\/sign-in\/forgot/,
  );
});

test('a message that anybody can ask for holds nothing that they called their program', async (t) => {
  const { email } = await newPerson(stack);
  const sender = createPageBrowser(stack.baseUrl, { userAgent: 'You won. Collect it at prize.example' });
  await sender.submit(await sender.get('/sign-in/forgot'), '/sign-in/forgot', { email });
  const message = await mail.mailTo(email, 'Choose a new password');
  t.regex(message, /With: an unknown program/);
  t.false(message.includes('prize.example'));
});

test('what a forgotten password interrupted goes on from the page that is kept open', async (t) => {
  const person = await newPerson(stack);
  const browser = newBrowser();
  const link = (page: { links: readonly { text: string; href: string }[] }, text: string) =>
    page.links.find((each) => each.text === text)?.href ?? '';
  const signIn = '/sign-in?return_to=%2Fsettings%2Fapi';
  const forgot = await browser.get(link(await browser.get(signIn), 'Forgot your password?'));
  t.is(link(forgot, 'Back to sign-in'), signIn);
  const waiting = await browser.submit(forgot, '/sign-in/forgot', { email: person.email });
  t.true(waiting.text.includes('sign in from here to go on'));
  t.is(link(waiting, 'Back to sign-in'), signIn);
  t.false((await askForLink(person.email)).text.includes('sign in from here'));
});

test('a link in the browser of another account names its account, and leads to its sign-in', async (t) => {
  const person = await newPerson(stack);
  const { browser, person: other } = await newVisit(stack);
  await askForLink(person.email);
  const form = await browser.get(await linkTo(person.email, 'Choose a new password'));
  t.true(form.text.includes(`For the account ${person.email}.`));
  t.true(
    form.text.includes(`You are signed in as ${other.email} here. This browser will be signed out, too.`),
  );
  const done = await browser.submit(form, '/sign-in/reset', { password: newPassword });
  const signIn = await browser.follow(done);
  t.true(signIn.text.includes('Your password has been changed.'));
  const filled = (page: typeof signIn) => new Map(page.form('/sign-in').fields).get('email');
  t.is(filled(signIn), person.email);
  const byAddressAlone = await browser.get('/sign-in?notice=password-reset');
  t.falsy(filled(byAddressAlone));
  t.false(byAddressAlone.text.includes('Your password has been changed.'));
  t.false(await isSignedIn(browser));
});

test('the owner of a locked account is told by mail that it is, whichever page they asked on', async (t) => {
  for (const path of ['/sign-in/forgot', '/sign-up']) {
    const { email } = await newPerson(stack);
    await admin('account', 'lock', `--email=${email}`);
    const browser = newBrowser();
    const asked = await browser.submit(await browser.get(path), path, { email });
    t.is(asked.heading, 'Look into your mailbox');
    const message = await mail.mailTo(email);
    t.regex(message, /operator of this service has locked your account: .*Contact them/s);
    t.notRegex(message, /link=/);
  }
});

test('the owner gets a mail when the operator changes their sign-in or deletes the account', async (t) => {
  const { person, browser } = await newVisit(stack);
  await setUpApp(browser, new Date());
  const email = `--email=${person.email}`;
  await admin('account', 'reset-second-factor', email);
  await adminOf(stack, newPassword)('account', 'update', email, '--password=-');
  await admin('token', 'create', email, '--name=for-the-operator', '--scopes=read');
  await admin('account', 'delete', email);
  for (const subject of [
    'The second factors',
    'The password of your account',
    'Your account will be deleted',
  ]) {
    const message = await mail.mailTo(person.email, subject);
    t.regex(message, /By: the operator of this service/);
    t.notRegex(message, /From: \d/);
  }
  t.false(mail.received.some(({ source }) => source.includes('for-the-operator')));
});

test('the owner of a suspended account gets a link that says the suspension remains', async (t) => {
  const { person, browser } = await newVisit(stack);
  await admin('account', 'update', `--email=${person.email}`, '--status=suspended');
  const forgot = (await browser.get('/settings')).links.find(({ href }) => href === '/sign-in/forgot');
  t.is(forgot?.text, 'Have a link sent to you');
  await askForLink(person.email);
  const message = await mail.mailTo(person.email, 'Choose a new password');
  t.regex(message, /has suspended your account.* A new password does not end that; only the operator can\./s);
  t.is((await choosePassword(await linkTo(person.email, 'Choose a new password'))).status, 303);
  const again = newBrowser();
  await again.signIn({ email: person.email, password: newPassword });
  t.true((await again.get('/settings')).text.includes('Your account is suspended'));
});

test('the password that the account has is refused beside its field, and the link stays', async (t) => {
  const person = await newPerson(stack);
  await askForLink(person.email);
  const links = [await linkTo(person.email, 'Choose a new password'), await linkOfOperator(person.email)];
  for (const link of links) {
    const refused = await choosePassword(link, person.password);
    t.is(refused.status, 400);
    t.true(refused.text.includes('New password The password must be another one than before. At least'));
    t.is((await newBrowser().get(link)).status, 200);
  }
  t.is((await choosePassword(links[0] ?? '')).status, 303);
});

test('a used link ends the other links of the account', async (t) => {
  const person = await newPerson(stack);
  const [first, second] = [await linkOfOperator(person.email), await linkOfOperator(person.email)];
  t.is((await choosePassword(second)).status, 303);
  // Not the password that the account has by now, which would be refused for itself.
  t.is((await choosePassword(first, 'fifteen loud harbours')).status, 400);
});

test('a changed password or an undone second factor ends links that were sent before', async (t) => {
  const { person, browser } = await newVisit(stack);
  const link = await linkOfOperator(person.email);
  const fields = { current_password: person.password, new_password: newPassword };
  await browser.submit(await browser.get('/settings'), '/settings/password', fields);
  t.is((await choosePassword(link, 'sixteen loud harbours')).status, 400);

  const other = await linkOfOperator(person.email);
  await setUpApp(browser, new Date());
  t.regex((await newBrowser().get(other)).text, /Passkeys, authenticator apps and recovery codes stay/);
  const { page } = await givePassword(stack, { email: person.email, password: newPassword });
  t.regex(page.text, /You did not set this up\? The message that told you of it has a link that removes it/);
  const undo = await linkTo(person.email, 'A second factor was added');
  const owner = newBrowser();
  await owner.submit(await owner.get(undo), '/sign-in/second-factor/undo');
  t.is((await choosePassword(other, 'seventeen loud harbours')).status, 400);
});

test('of two uses of a link at once one changes the password', async (t) => {
  const person = await newPerson(stack);
  await askForLink(person.email);
  const link = await linkTo(person.email, 'Choose a new password');
  const open = async () => {
    const browser = newBrowser();
    const form = await browser.get(link);
    return (password: string) => browser.submit(form, '/sign-in/reset', { password });
  };
  const [one, other] = await Promise.all([open(), open()]);
  const answers = await Promise.all([one('thirteen loud harbours'), other('fourteen loud harbours')]);
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 400]);
});

test('the page answers the same for an unknown address, and none gets mail', async (t) => {
  const person = await newPerson(stack);
  const unknown = `nobody-${person.email}`;
  const [known, other] = [await askForLink(person.email), await askForLink(unknown)];
  t.is(known.status, other.status);
  const neutral = (page: { markup: string }, email: string) =>
    page.markup.replaceAll(email, 'ADDRESS').replaceAll(/value="[\w-]+"/g, '');
  t.is(neutral(known, person.email), neutral(other, unknown));
  await mail.mailTo(person.email);
  t.false(mail.received.some(({ to }) => to.includes(unknown)));
});

test('what is no address is refused beside its field, and kept there', async (t) => {
  for (const typed of ['', 'ada', `${'a'.repeat(250)}@example.com`]) {
    const refused = await askForLink(typed);
    t.deepEqual([refused.status, refused.invalidFields], [400, ['email']]);
    t.is(refused.description('email'), 'Enter your e-mail address.');
    t.is(new Map(refused.form('/sign-in/forgot').fields).get('email'), typed);
  }
});

test('a message that the mail server refuses for now is sent again, and no other one is', async (t) => {
  const people = await Promise.all(Array.from({ length: 12 }, () => newPerson(stack)));
  const refused = people.filter((_, index) => index % 2 === 1);
  for (const { email } of refused) mail.refuseOnce(email, 451);
  await Promise.all(people.map(({ email }) => askForLink(email)));
  await waitFor(async () => {
    // As if the pause before the next try had passed.
    await stack.sql`update jobs.job set start_after = now() where name = 'mail' and state = 'retry'`;
    return people.every(({ email }) => mail.received.some(({ to }) => to.includes(email)));
  });
  for (const { email } of people)
    t.is((await choosePassword(await linkTo(email, 'Choose a new password'))).status, 303);
  for (const { email } of people) {
    const links = mail.received.filter(({ to, source }) => to.includes(email) && /link=3D/.test(source));
    t.is(links.length, 1);
  }
});

test('links that a stranger asks for to many addresses do not hold up another one', async (t) => {
  const person = await newPerson(stack);
  const stranger = newBrowser();
  const form = await stranger.get('/sign-in/forgot');
  const addresses = Array.from({ length: 300 }, (_, count) => `${count}-${person.email}`);
  for (const email of addresses) await stranger.submit(form, '/sign-in/forgot', { email });
  await askForLink(person.email);
  t.is((await choosePassword(await linkTo(person.email, 'Choose a new password'))).status, 303);
});

test('an address gets at most five links an hour, and the page does not say so', async (t) => {
  const person = await newPerson(stack);
  for (let time = 1; time <= 7; time++) t.is((await askForLink(person.email)).status, 200);
  await mail.mailTo(person.email);
  const jobs = await stack.sql`select id from jobs.job where data->>'email' = ${person.email}`;
  t.is(jobs.length, 5);
});

test('a link that never was one, or is older than half an hour, leads to an explanation', async (t) => {
  const person = await newPerson(stack);
  await askForLink(person.email);
  const link = await linkTo(person.email, 'Choose a new password');
  await stack.sql`update auth.password_reset set expires_at = now() where account_id = ${person.accountId}`;
  for (const wrong of [link, '/sign-in/reset?link=abc', '/sign-in/reset']) {
    const page = await newBrowser().get(wrong);
    t.deepEqual([page.status, page.heading], [400, 'This link no longer works']);
  }
});
