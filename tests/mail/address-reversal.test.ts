import test from 'ava';
import { changeAccount } from '#auth-server/admin/account-admin.ts';
import { untilWaiting, whileLocked } from '#tests/oauth/while-locked.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { adminOf } from '../admin/run-admin.ts';
import { isSignedIn, newcomer, newVisit, type Person, sessionsOf } from '../pages/visitors.ts';
import { setUpApp } from '../second-factor/second-factors.ts';
import { connectApp } from '../settings/signed-in-owner.ts';
import { startStackWithMail } from './mail-server.ts';

const { mail, stack, close } = await startStackWithMail();
const { linkTo } = mail;
const admin = adminOf(stack);
test.after.always(close);

/** Opens the link and presses the button of its page. */
async function press(link: string) {
  const browser = createPageBrowser(stack.baseUrl);
  const page = await browser.get(link);
  return page.status === 200 ? browser.submit(page, link.replace(/\?.*/, '')) : page;
}

async function changeAddress(browser: PageBrowser, email: string): Promise<void> {
  await browser.submit(await browser.get('/settings'), '/settings/address', { new_email: email });
  await press(await linkTo(email, 'Confirm your new address'));
}

const undoLink = (address: string) => linkTo(address, 'The address of your account was changed');

async function addressOf({ accountId }: { accountId: string }): Promise<string | undefined> {
  const [account] = await stack.sql<{
    email: string;
  }>`select email from auth.account where id = ${accountId}`;
  return account?.email;
}

test('an owner who changes the address back in Settings ends the other undo link', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { email: thief } = newcomer();
  await changeAddress(browser, thief);
  await undoLink(person.email);
  await browser.submit(await browser.get('/settings'), '/settings/address', { new_email: person.email });
  const back = await linkTo(person.email, 'Confirm your new address');
  t.true((await browser.get(back)).text.includes('Your present address is told, and cannot take this back'));
  await press(back);
  t.is(await addressOf(person), person.email);
  const kept = await stack.sql`select from auth.former_address where account_id = ${person.accountId}`;
  t.is(kept.length, 0);
  t.true(await isSignedIn(browser));
  const told = await mail.mailTo(thief, 'The address of your account was changed');
  t.true(told.includes(`the address ${person.email} now`));
  t.regex(told, /contact the operator/);
  t.notRegex(told, /link=/);
});

test('the earliest address has the last word, and who loses the account is told', async (t) => {
  const { browser, person } = await newVisit(stack);
  const [thief, later] = [newcomer().email, newcomer().email];
  await changeAddress(browser, thief);
  const owners = await undoLink(person.email);
  await stack.sql`update auth.former_address set expires_at = now() + interval '1 minute'
    where account_id = ${person.accountId}`;
  await stack.sql`update auth.mail_link set expires_at = now() + interval '1 minute'
    where account_id = ${person.accountId}`;
  await changeAddress(browser, later);
  const thiefs = await undoLink(thief);
  const [ends] = await stack.sql<{
    lasts: boolean;
  }>`select min(expires_at) > now() + interval '6 days' as lasts
    from auth.mail_link where account_id = ${person.accountId}`;
  t.true(ends?.lasts);

  t.is((await press(thiefs)).status, 303);
  t.is(await addressOf(person), thief);
  t.regex(await mail.mailTo(later, 'was taken back'), /All browsers are signed out/);
  t.is((await press(owners)).status, 303);
  t.is(await addressOf(person), person.email);
});

/**
 * Takes the account back by the link; when that has changed the address and is not committed, `begin` starts
 * what has to wait for it. Resolves when all of it is done, and all mail is sent.
 */
async function whileTakenBack(person: Person, link: string, begin: () => Promise<unknown>): Promise<void> {
  const statement = 'select from auth.oauth_grant where account_id = $1 for update';
  const held = { table: '', statement, values: [person.accountId], end: 'rollback' } as const;
  await connectApp(stack, person);
  await whileLocked(stack, held, () => [press(link), untilWaiting(stack.sql, 'oauth_grant', 1).then(begin)]);
  await allSent();
}

async function allSent(): Promise<void> {
  await waitFor(async () => {
    const jobs = await stack.sql`select from jobs.job where name = 'mail' and state < 'completed'`;
    return jobs.length === 0;
  });
}

/** Resolves when the message to the address was refused for now; what it returns has it sent again. */
async function refusedOnce(address: string, ask: () => Promise<unknown>): Promise<() => Promise<unknown>> {
  mail.refuseOnce(address, 450);
  await ask();
  const retryIn = (seconds: number) => stack.sql`update jobs.job
    set start_after = now() + make_interval(secs => ${seconds}) where state = 'retry' returning 1`;
  await waitFor(async () => (await retryIn(60)).length === 1);
  return () => retryIn(0);
}

test('a deletion that somebody else asked for ends when the owner takes the account back', async (t) => {
  const { browser, person } = await newVisit(stack);
  await setUpApp(browser, new Date());
  await browser.submit(await browser.get('/settings/data'), '/settings/data/delete');
  const email = `--email=${person.email}`;
  t.true('eraseAfter' in (await admin('account', 'show', email)));
  t.is((await press(await linkTo(person.email, 'A second factor was added'))).status, 303);
  t.false('eraseAfter' in (await admin('account', 'show', email)));
  t.regex(await mail.mailTo(person.email, 'will not be deleted'), /or took your account back/);
});

test('a link of a locked account says that it is locked, and works once it is not', async (t) => {
  const { browser, person } = await newVisit(stack);
  await changeAddress(browser, newcomer().email);
  const link = await undoLink(person.email);
  const email = `--email=${await addressOf(person)}`;
  await admin('account', 'lock', email);
  const refused = await press(link);
  t.deepEqual([refused.status, refused.heading], [403, 'This account is locked']);
  await admin('account', 'unlock', email);
  t.is((await press(link)).status, 303);
});

test('a link that changes the address works only once the account is no longer suspended', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { email } = newcomer();
  await browser.submit(await browser.get('/settings'), '/settings/address', { new_email: email });
  const link = await linkTo(email, 'Confirm your new address');
  const update = (status: string) =>
    admin('account', 'update', `--email=${person.email}`, '--status', status);
  await update('suspended');
  const refused = await press(link);
  t.deepEqual([refused.status, refused.heading], [423, 'Your account is suspended']);
  t.is(await addressOf(person), person.email);
  await update('active');
  t.is((await press(link)).heading, 'Your address is changed');
});

test('undoing a change of address in a browser of another account warns and signs it out', async (t) => {
  const owner = await newVisit(stack);
  await changeAddress(owner.browser, newcomer().email);
  const link = await undoLink(owner.person.email);
  const { browser, person } = await newVisit(stack);
  const page = await browser.get(link);
  t.true(page.text.includes(`${person.email} here. This browser will be signed out, too.`));
  const undone = await browser.submit(page, link.replace(/\?.*/, ''));
  t.is(undone.headers.get('clear-site-data'), '"storage"');
  t.deepEqual(await sessionsOf(stack, person), []);
});

test('signing up by mail in a browser of another account warns and signs that one out', async (t) => {
  const { email, password } = newcomer();
  const { browser, person } = await newVisit(stack);
  const asking = createPageBrowser(stack.baseUrl);
  await asking.submit(await asking.get('/sign-up'), '/sign-up', { email });
  const page = await browser.get(await linkTo(email, 'Confirm your address'));
  t.true(page.text.includes(`${person.email} here. This browser will be signed out, too.`));
  const made = await browser.submit(page, '/sign-up/confirm', { password });
  t.is(made.headers.get('clear-site-data'), '"storage"');
  t.deepEqual(await sessionsOf(stack, person), []);
  t.true((await browser.get('/settings')).text.includes(email));
});

test.serial('no link to a password is sent to the address that an account is losing', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { email: thief } = newcomer();
  await changeAddress(browser, thief);
  await whileTakenBack(person, await undoLink(person.email), async () => {
    const page = await browser.get('/sign-in/forgot');
    await browser.submit(page, '/sign-in/forgot', { email: thief });
  });
  t.is(await addressOf(person), person.email);
  t.false(mail.received.some(({ to, source }) => to.includes(thief) && /Choose a new password/.test(source)));
});

test.serial('a notice sent to the address that an account is losing does not give it back', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { email: thief } = newcomer();
  await changeAddress(browser, thief);
  const link = await undoLink(person.email);
  const notify = await refusedOnce(thief, () => setUpApp(browser, new Date()));
  await whileTakenBack(person, link, notify);
  t.is(await addressOf(person), person.email);
  t.is((await press(await linkTo(thief, 'A second factor was added'))).heading, 'This link no longer works');
});

test.serial(
  'a message of a deletion that is sent late does not announce one that was cancelled',
  async (t) => {
    const { browser, person } = await newVisit(stack);
    await allSent();
    const page = await browser.get('/settings/data');
    const send = await refusedOnce(person.email, () => browser.submit(page, '/settings/data/delete'));
    await browser.signIn(person);
    await mail.mailTo(person.email, 'Your account will not be deleted');
    await send();
    const late = await mail.mailTo(person.email, 'Your account was to be deleted');
    t.regex(late, /The deletion was cancelled since/);
    t.notRegex(late, /will be deleted|Erased after/);
  },
);

test.serial('a change of address that is cancelled while its link is made stays cancelled', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { email } = newcomer();
  const fields = { new_email: email };
  const ask = async () => browser.submit(await browser.get('/settings'), '/settings/address', fields);
  const send = await refusedOnce(email, ask);
  const page = await browser.get('/settings');
  const statement = `select from auth.account join auth.mail_link on account_id = account.id
    where account.id = $1 for update`;
  const held = { table: '', statement, values: [person.accountId], end: 'rollback' } as const;
  await whileLocked(stack, held, () => [
    send(),
    untilWaiting(stack.sql, '', 1).then(() => browser.submit(page, '/settings/address/cancel')),
  ]);
  await allSent();
  await press(await linkTo(email, 'Confirm your new address'));
  t.is(await addressOf(person), person.email);
});

/** Sends `change` while a browser of the account signs out, which has begun and waits to note it. */
async function whileSigningOut<Answer>(browser: PageBrowser, change: () => Promise<Answer>): Promise<Answer> {
  const page = await browser.get('/settings');
  const statement = 'lock table auth.audit_event in share mode';
  const held = { table: '', statement, values: [], end: 'rollback' } as const;
  const changed = Promise.withResolvers<Answer>();
  await whileLocked<unknown>(stack, held, () => {
    const changing = untilWaiting(stack.sql, 'audit_event', 1).then(change);
    changed.resolve(changing);
    return [browser.submit(page, '/sign-out'), changing];
  });
  return changed.promise;
}

test.serial('an account can be taken back while one of its browsers signs out', async (t) => {
  const { browser, person } = await newVisit(stack);
  await changeAddress(browser, newcomer().email);
  const link = await undoLink(person.email);
  t.is((await whileSigningOut(browser, () => press(link))).status, 303);
  t.is(await addressOf(person), person.email);
});

test.serial('the operator can change address and password while a browser signs out', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { email, password } = newcomer();
  const change = { newEmail: email, password };
  await whileSigningOut(browser, () => changeAccount(stack, person.email, change));
  t.is(await addressOf(person), email);
});
