import test from 'ava';
import { adminOf } from '#tests/admin/run-admin.ts';
import { startStackWithMail } from '#tests/mail/mail-server.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { authorizationRequest, registerClient } from '#tests/oauth/oauth-flow.ts';
import { whileLocked } from '#tests/oauth/while-locked.ts';
import { isSignedIn, newPerson, newVisit } from '#tests/pages/visitors.ts';
import { trailOf } from '#tests/settings/signed-in-owner.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { words } from '#tests/support/words.ts';
import { beginSetUp, codesOn, giveCode, givePassword, securityPath, setUpApp } from './second-factors.ts';

const now = new Date('2026-03-02T09:00:00Z');
// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const { mail, stack, close } = await startStackWithMail({ now });
const strict = await startStack(undefined, {
  withAuthServer: true,
  now,
  environment: { SECOND_FACTOR: 'required' },
});
test.after.always(() => Promise.all([close(), strict.close()]));

const admin = adminOf(stack);

/** So many steps of 30 seconds from the beginning on; the clock of the service stands at the beginning. */
const step = (count: number): Date => new Date(now.getTime() + count * 30_000);
const refusal =
  'That code is wrong, or was used before. If your app shows it now, wait for the next one; ' +
  'if that is refused, too, correct the clock of the app’s device.';

test('with an app set up the password alone opens nothing; each code opens once', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { app, codes } = await setUpApp(browser, step(-1));
  t.is(codes.length, 10);
  const { page, browser: other } = await givePassword(stack, person);
  t.is(page.heading, 'One more step');
  t.false(page.markup.includes(person.password));
  t.false(await isSignedIn(other));
  t.is((await giveCode(other, page, '000 000')).status, 400);
  t.is((await other.get(page.path)).heading, 'One more step', 'the browser can go back');
  const done = await giveCode(other, page, app.codeAt(now).replace(/^.../, '$& '));
  t.is(done.location, '/settings/apps');
  t.true(await isSignedIn(other));

  for (const code of [app.codeAt(step(-1)), app.codeAt(now), app.codeAt(step(3)), '', 'x']) {
    const third = await givePassword(stack, person);
    const refused = await giveCode(third.browser, third.page, code);
    t.is(refused.status, 400);
    t.deepEqual(refused.invalidFields, ['code']);
    t.is(refused.description('code').startsWith(refusal), true, code);
    t.false(await isSignedIn(third.browser));
  }
  const stored =
    await stack.sql`select encode(secret_encrypted, 'escape') as secret from auth.authenticator_app
    where account_id = ${person.accountId}`;
  t.is(stored.length, 1);
});

test('a malformed response of a passkey signs nobody in', async (t) => {
  const browser = createPageBrowser(stack.baseUrl);
  const form = (await browser.get('/sign-in')).form('/sign-in/passkey');
  const response = { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' };
  const noText = JSON.stringify({ id: '\0', response });
  for (const passkey of ['', 'x', 'null', '[]', '{"id": 1}', '{"id": "x", "response": 1}', noText]) {
    const refused = await browser.post(form.action, { ...Object.fromEntries(form.fields), passkey });
    t.is(refused.status, 400, passkey);
    t.false(await isSignedIn(browser));
  }
});

test.serial('who takes ten minutes for the code enters the password again, not the address', async (t) => {
  const { browser, person } = await newVisit(stack);
  await setUpApp(browser, step(-1));
  const late = await givePassword(stack, person);
  stack.clock.advance(11 * 60_000);
  const again = await late.browser.follow(await giveCode(late.browser, late.page, '000000'));
  stack.clock.set(now);
  t.true(again.text.includes('That took too long, or'));
  t.is(new Map(again.form('/sign-in').fields).get('email'), person.email);
});

test('an app whose clock is two minutes off is not set up, and its owner learns of the clock', async (t) => {
  const { browser } = await newVisit(stack);
  const { page, app } = await beginSetUp(browser);
  const fields = { code: app.codeAt(step(-4)) };
  const refused = await browser.submit(page, `${securityPath}/authenticator/confirm`, fields);
  t.is(refused.status, 400);
  t.regex(refused.description('code'), /correct the clock of its device/);
});

test('a form that is sent again sets nothing up, and the codes shown before stay valid', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { page, app } = await beginSetUp(browser);
  const confirm = `${securityPath}/authenticator/confirm`;
  const code = app.codeAt(step(-1));
  const first = codesOn(await browser.submit(page, confirm, { code }));
  t.is(first.length, 10);
  const again = await browser.follow(await browser.submit(page, confirm, { code }));
  t.true(again.text.includes('The authenticator app was set up before.'));

  const renew = `${securityPath}/recovery-codes`;
  const second = codesOn(await browser.submit(again, renew));
  t.is(second.length, 10);
  const kept = await browser.follow(await browser.submit(again, renew));
  t.true(kept.text.includes('New codes were made before'));
  const trail = (await trailOf(stack, person)).map(({ event }) => event);
  t.is(trail.filter((event) => event === 'second_factor_added').length, 1);
  t.is(trail.filter((event) => event === 'recovery_codes_created').length, 1);
  const signIn = await givePassword(stack, person);
  t.is((await giveCode(signIn.browser, signIn.page, second[0] ?? '')).status, 303);
});

test('a tab whose app another one has turned off says so, and makes no codes', async (t) => {
  const { browser } = await newVisit(stack);
  await setUpApp(browser, step(-1));
  const late = await browser.get(securityPath);
  await browser.submit(late, `${securityPath}/authenticator/remove`);
  for (const action of ['authenticator/remove', 'recovery-codes']) {
    const page = await browser.follow(await browser.submit(late, `${securityPath}/${action}`));
    t.true(page.text.includes('That was gone already: nothing was changed.'), action);
  }
});

test('of several browsers with one code, one gets in', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { app, codes } = await setUpApp(browser, step(-1));
  for (const code of [app.codeAt(now), codes[0] ?? '']) {
    const browsers = await Promise.all([1, 2, 3].map(() => givePassword(stack, person)));
    const answers = await Promise.all(browsers.map((each) => giveCode(each.browser, each.page, code)));
    t.deepEqual(answers.map(({ status }) => status).sort(), [303, 400, 400]);
  }
});

test('a wrong code turns nothing on, and the same secret can be tried again', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { page, app } = await beginSetUp(browser);
  t.regex(page.markup, /<svg class="qr"/);
  const confirm = `${securityPath}/authenticator/confirm`;
  let refused = page;
  for (const code of ['000000', '٠٠٠٠٠٠', 'twelve', '“0000”']) {
    refused = await browser.submit(page, confirm, { code });
    t.deepEqual([refused.status, refused.invalidFields], [400, ['code']], code);
  }
  t.true(await isSignedIn((await givePassword(stack, person)).browser));
  t.is(codesOn(await browser.submit(refused, confirm, { code: app.codeAt(now) })).length, 10);

  const { browser: neighbour } = await newVisit(stack);
  const forged = await beginSetUp(neighbour);
  const foreign = page.form(confirm).fields.find(([name]) => name === 'secret')?.[1];
  const sent = { secret: foreign, code: app.codeAt(now) };
  t.deepEqual(codesOn(await neighbour.submit(forged.page, confirm, sent)), []);
});

test('a code in the wide digits of East Asian keyboards opens', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { app } = await setUpApp(browser, step(-1));
  const wide = app.codeAt(now).replaceAll(/./g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  const visit = await givePassword(stack, person);
  t.is((await giveCode(visit.browser, visit.page, wide)).status, 303);
});

test('a recovery code opens once, however it is typed; new ones end the old', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { codes } = await setUpApp(browser, now);
  const [first = '', second = '', third = ''] = codes;
  const misread = first.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'l');
  const typed = ` ${misread.replace('-', ' ').replace('-', '–')}`;
  const visit = await givePassword(stack, person);
  t.is((await giveCode(visit.browser, visit.page, typed)).status, 303);
  const again = await givePassword(stack, person);
  t.is((await giveCode(again.browser, again.page, first)).status, 400);
  t.true((await browser.get(securityPath)).text.includes('You have 9 of 10 codes left.'));

  const page = await browser.submit(await browser.get(securityPath), `${securityPath}/recovery-codes`);
  const renewed = codesOn(page);
  t.is(new Set([...codes, ...renewed]).size, 20);
  t.is((await giveCode(again.browser, again.page, second)).status, 400);
  t.is((await giveCode(again.browser, again.page, renewed[2] ?? third)).status, 303);
  const events = (await trailOf(stack, { accountId: person.accountId })).map(({ event }) => event);
  t.deepEqual(
    events,
    words(`second_factor_added recovery_code_used sign_in_failed
    recovery_codes_created sign_in_failed recovery_code_used`),
  );
});

test('guesses are limited by account, and only who knows the password can make them', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { app, codes } = await setUpApp(browser, step(-1));
  const stranger = createPageBrowser(stack.baseUrl);
  const { page, browser: thief } = await givePassword(stack, person);
  const fields = Object.fromEntries(page.form('/sign-in/second-factor').fields);
  await stranger.get('/sign-in');
  t.is((await stranger.post('/sign-in/second-factor', fields)).status, 403);
  const own = await givePassword(stack, (await newVisit(stack)).person);
  t.is(own.page.status, 303);

  let answer = page;
  for (let guesses = 0; answer.status !== 429; guesses += 1) {
    t.true(guesses < 11);
    answer = await giveCode(thief, page, String(100_000 + guesses));
  }
  t.true(Number(answer.headers.get('retry-after')) > 0);
  t.is((await giveCode(thief, page, app.codeAt(now))).status, 429);
  t.is((await giveCode(thief, page, codes[0] ?? '')).status, 429);

  const [listed, logged] = [await browser.get('/settings/sessions'), await browser.get('/settings/activity')];
  t.true(logged.text.includes('10 sign-ins failed: right password, wrong code'));
  t.true(listed.text.includes('10 sign-ins failed: right password, wrong code'));
  t.true(listed.text.includes('Somebody entered your password, and then a wrong code.'));
});

test('a code that could not be verified is no wrong guess', async (t) => {
  const broken = await startStack(t, { withAuthServer: true, now });
  const { browser, person } = await newVisit(broken);
  const { codes } = await setUpApp(browser, step(-1));
  const { page, browser: owner } = await givePassword(broken, person);
  await broken.sql`alter table auth.recovery_code rename to recovery_code_away`;
  for (let guesses = 0; guesses < 11; guesses += 1)
    t.is((await giveCode(owner, page, codes[0] ?? '')).status, 500);
  await broken.sql`alter table auth.recovery_code_away rename to recovery_code`;
  t.is((await giveCode(owner, page, codes[0] ?? '')).status, 303);
});

test('whoever guesses codes does not keep the owner’s browser from signing in', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { app } = await setUpApp(browser, step(-1));
  await browser.submit(await browser.get('/sign-out'), '/sign-out');
  const { page, browser: thief } = await givePassword(stack, person);
  for (let guesses = 0; guesses < 11; guesses += 1) await giveCode(thief, page, String(100_000 + guesses));
  t.is((await giveCode(thief, page, app.codeAt(now))).status, 429);

  const { email, password } = person;
  const signIn = await browser.get('/sign-in');
  const asked = await browser.follow(await browser.submit(signIn, '/sign-in', { email, password }));
  t.is((await giveCode(browser, asked, app.codeAt(now))).status, 303);
});

test('a page that asks for a code goes on where its browser has signed in meanwhile', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { app } = await setUpApp(browser, step(-1));
  const tab = await givePassword(stack, person, '/settings/api');
  const other = await tab.browser.get(tab.page.path);
  t.is((await giveCode(tab.browser, other, app.codeAt(now))).status, 303);
  const late = await giveCode(tab.browser, tab.page, app.codeAt(now));
  t.is((await tab.browser.follow(late)).path, '/settings/api');
});

test('a changed password ends sign-ins in progress; a reset keeps the second factor', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { app } = await setUpApp(browser, step(-1));
  const begun = await givePassword(stack, person);
  const link = await admin('account', 'reset-link', `--email=${person.email}`);
  const reset = createPageBrowser(stack.baseUrl);
  const password = 'nine loud harbours, renewed';
  t.is((await reset.submit(await reset.get(link.url), '/sign-in/reset', { password })).status, 303);
  t.false(await isSignedIn(reset));
  const late = await giveCode(begun.browser, begun.page, app.codeAt(now));
  t.regex(
    (await begun.browser.follow(late)).text,
    /the account has changed meanwhile: enter your password again/,
  );
  t.false(await isSignedIn(begun.browser));
  t.is((await givePassword(stack, { ...person, password })).page.heading, 'One more step');
});

test('the operator lets in an owner who lost everything', async (t) => {
  const { browser, person } = await newVisit(stack);
  await setUpApp(browser, now);
  const email = `--email=${person.email}`;
  t.like(await admin('account', 'reset-second-factor', email), {
    accountId: person.accountId,
    removed: true,
  });
  t.like(await admin('account', 'reset-second-factor', email), { removed: false });
  t.is((await givePassword(stack, person)).page.location, '/settings/apps');
  t.is((await stack.sql`select from auth.recovery_code where account_id = ${person.accountId}`).length, 0);
});

test('turned off, the app is asked for no longer', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { codes } = await setUpApp(browser, now);
  const asked = await givePassword(stack, person);
  const page = await browser.submit(await browser.get(securityPath), `${securityPath}/authenticator/remove`);
  t.true((await browser.follow(page)).text.includes('there is no second factor now'));
  t.is((await givePassword(stack, person)).page.location, '/settings/apps');
  const late = await asked.browser.follow(await giveCode(asked.browser, asked.page, codes[0] ?? ''));
  t.true(late.text.includes('the account has changed meanwhile: enter your password again'));
});

test('on the way of an authorization the second factor leads to consent', async (t) => {
  const { browser, person } = await newVisit(stack);
  const { app } = await setUpApp(browser, step(-1));
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  const { parameters } = authorizationRequest(await registerClient({ endpoints }));
  const other = createPageBrowser(stack.baseUrl);
  const form = await other.get(endpoints.authorizeUrl(parameters));
  const { email, password } = person;
  const asked = await other.follow(await other.submit(form, '/sign-in', { email, password }));
  const consent = await other.follow(await giveCode(other, asked, app.codeAt(now)));
  t.is(consent.heading, 'Let “Test app” use your tasks?');
});

/** As the web app does. */
const askForToken = (browser: PageBrowser) =>
  browser.post('/app/session/token', '{}', { 'content-type': 'application/json', origin: strict.baseUrl });

test('where a second factor is required, nothing opens before it is set up; then all does', async (t) => {
  const person = await newPerson(strict);
  const { browser, page } = await givePassword(strict, person, '/settings/apps');
  const security = await browser.follow(page);
  t.is(security.heading, 'Security');
  t.regex(security.text, /This service requires a second factor/);
  for (const path of ['/settings', '/settings/api', '/settings/data', '/settings/sessions'])
    t.is((await browser.follow(await browser.get(path))).heading, 'Security', path);
  t.is((await askForToken(browser)).status, 401);

  const { codes } = await setUpApp(browser, now, security.path);
  t.is(codes.length, 10);
  t.is((await browser.get('/settings/api')).status, 200);
  t.is((await askForToken(browser)).status, 200);
});

test('where a second factor is required, no app is allowed anything before one is set up', async (t) => {
  const person = await newPerson(strict);
  const endpoints = createOAuthEndpoints(strict.baseUrl);
  const { parameters } = authorizationRequest(await registerClient({ endpoints }));
  const browser = createPageBrowser(strict.baseUrl);
  const form = await browser.follow(await browser.get(endpoints.authorizeUrl(parameters)));
  const { email, password } = person;
  const asked = await browser.follow(await browser.submit(form, '/sign-in', { email, password }));
  t.is(asked.heading, 'Security');
  const passkeys = asked.form(`${securityPath}/passkeys`);
  const refused = await browser.post(passkeys.action, {
    ...Object.fromEntries(passkeys.fields),
    passkey: 'x',
  });
  t.is(refused.status, 400);
  const begun = await browser.submit(refused, `${securityPath}/authenticator`);
  const cancel = begun.links.find(({ text }) => text === 'Cancel')?.href ?? '';
  // The way back to the app is kept by what was refused or cancelled.
  const done = await setUpApp(browser, now, cancel);
  const [, onward = ''] = /href="(\/oauth\/interaction\/[^"]+)"/.exec(done.page.markup) ?? [];
  t.is((await browser.get(onward)).heading, 'Let “Test app” use your tasks?');
});

test('of two forms for new recovery codes that are sent at once one shows codes, which count', async (t) => {
  const { browser, person } = await newVisit(stack);
  await setUpApp(browser, now);
  const page = await browser.get(securityPath);
  const statement = 'select from auth.account where id = $1 for no key update';
  const held = { table: 'account', statement, values: [person.accountId], end: 'rollback' } as const;
  const renew = () => browser.submit(page, `${securityPath}/recovery-codes`);
  const answers = await whileLocked(stack, held, () => [renew(), renew()]);
  const [code = '', ...others] = answers.flatMap(codesOn);
  t.is(others.length, 9);
  const { page: asked, browser: other } = await givePassword(stack, person);
  t.is((await giveCode(other, asked, code)).status, 303);
});

test('the owner is mailed about wrong codes, also when they all come at once', async (t) => {
  const { browser, person } = await newVisit(stack);
  await setUpApp(browser, step(-1));
  const { browser: other, page } = await givePassword(stack, person);
  const statement = 'lock table auth.audit_event in share mode';
  const held = { table: 'audit_event', statement, values: [], end: 'rollback' } as const;
  const guess = () => giveCode(other, page, '000 000');
  await whileLocked(stack, held, () => Array.from({ length: 6 }, guess));
  t.regex(await mail.mailTo(person.email, 'Somebody entered your password'), /wrong code/);
});
