import test from 'ava';

import { hashPassword } from '#auth-server/accounts/password-hash.ts';
import { createOAuthEndpoints, defaultRedirectUri } from '#tests/oauth/oauth-endpoints.ts';
import { authorizationRequest } from '#tests/oauth/oauth-flow.ts';
import { whileLocked } from '#tests/oauth/while-locked.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { words } from '#tests/support/words.ts';
import {
  auditEvents,
  isSignedIn,
  newcomer,
  newPerson,
  newVisit,
  type Person,
  sessionsOf,
} from './visitors.ts';

const stack = await startStack(test, { withAuthServer: true });

const newBrowser = () => createPageBrowser(stack.baseUrl);

test('the address counts without its case and the blanks around it', async (t) => {
  const person = await newPerson(stack);
  const browser = newBrowser();
  const email = ` ${person.email.toUpperCase()} `;
  const form = await browser.get('/sign-in');
  t.is((await browser.submit(form, '/sign-in', { email, password: person.password })).status, 303);
});

test('an address counts however the browser spells its international domain', async (t) => {
  const signIn = async (email: string, { password }: Person) => {
    const browser = newBrowser();
    const form = await browser.get('/sign-in');
    return (await browser.submit(form, '/sign-in', { email, password })).status;
  };
  const rename = ({ accountId }: Person, email: string) =>
    stack.sql`update auth.account set email = ${email}, email_folded = ${email} where id = ${accountId}`;
  const [person, other] = [await newPerson(stack), await newPerson(stack)];
  const [inUnicode, inAscii] = ['ada@bücher.example', 'ada@xn--bcher-kva.example'];
  await rename(person, inUnicode);
  t.is(await signIn(inAscii, person), 303);
  t.is(await signIn('ada@ｂücher.example', person), 400, 'another domain that is only mapped to it');
  await rename(other, inAscii);
  t.is(await signIn(inAscii, other), 303);
  t.is(await signIn(inUnicode, person), 303);
  await rename(person, 'eve@example.com');
  t.is(await signIn(inUnicode, other), 303);
});

test('what is missing is said beside its field, which has the focus, and the address is kept', async (t) => {
  const browser = newBrowser();
  const form = await browser.get('/sign-in');
  const neither = await browser.submit(form, '/sign-in', { email: '', password: '' });
  t.deepEqual([neither.status, neither.invalidFields], [400, ['email', 'password']]);
  t.regex(neither.markup, / id="email"[^>]* autofocus/);
  const half = await browser.submit(form, '/sign-in', { email: 'ada@example.com', password: '' });
  t.deepEqual([half.status, half.invalidFields], [400, ['password']]);
  t.is(half.description('password'), 'Enter your password.');
  t.is(new Map(half.form('/sign-in').fields).get('email'), 'ada@example.com');
});

test('sign-in leads back to the page it was asked for', async (t) => {
  const person = await newPerson(stack);
  const ownPaths = words(`/app/ /app/upcoming?task=0a-9 /app/project/0a-9?add=Buy+milk%21 /settings/apps
    /settings/activity?before=12 /oauth/interaction/x-_1Y`);
  for (const path of ownPaths) {
    const browser = newBrowser();
    const form = await browser.get(`/sign-in?return_to=${encodeURIComponent(path)}`);
    const answer = await browser.submit(form, '/sign-in', { email: person.email, password: person.password });
    t.is(answer.location, path);
    t.is((await browser.get(`/sign-in?return_to=${encodeURIComponent(path)}`)).location, path);
  }
});

const elsewhere = [
  ...words(`https://evil.example/ //evil.example/settings /\\evil.example /settings//evil.example
    /settings@evil.example /settings/..//evil.example /settings/../../evil /settingsx
    /settings?x=1#y /app /app//evil.example /app/../sign-out /application /oauth/interaction/
    /oauth/interaction/a/b /oauth/authorize?client_id=x /sign-out javascript:alert(1)`),
  '/settings\n//evil.example',
  '',
];

test('sign-in leads nowhere but to pages of ours', async (t) => {
  const { browser } = await newVisit(stack);
  const stranger = newBrowser();
  for (const path of elsewhere) {
    const query = `/sign-in?return_to=${encodeURIComponent(path)}`;
    t.is((await browser.get(query)).location, '/app/', path);
    const { fields } = (await stranger.get(query)).form('/sign-in');
    t.true(
      fields.some(([name, value]) => name === 'return_to' && value === '/app/'),
      path,
    );
  }
  const { email, password } = await newPerson(stack);
  const fields = { email, password, return_to: '//evil.example/settings' };
  t.is((await stranger.submit(await stranger.get('/sign-in'), '/sign-in', fields)).location, '/app/');
});

test('a form of a tab that was open before the browser signed in goes on', async (t) => {
  const { email, password } = await newPerson(stack);
  const browser = newBrowser();
  const form = await browser.get('/sign-in?return_to=%2Fsettings%2Fapi');
  await browser.signIn({ email, password });
  const answer = await browser.submit(form, '/sign-in', { email, password });
  t.is((await browser.follow(answer)).path, '/settings/api');
});

test('the token of another browser or form is refused, so that sign-in cannot be forged', async (t) => {
  const { email, password } = await newPerson(stack);
  const token = (await newBrowser().get('/sign-in')).csrfToken('/sign-in');
  const victim = newBrowser();
  t.is((await victim.post('/sign-in', { email, password, csrf_token: token })).status, 403);
  const ofOtherForm = (await victim.get('/sign-up')).csrfToken('/sign-up');
  for (const other of [token, ofOtherForm])
    t.is((await victim.post('/sign-in', { email, password, csrf_token: other })).status, 403);
  t.false(await isSignedIn(victim));
});

const asks = new RegExp(
  'An app that calls itself “Claude W{32}…” wants to use your tasks; ' +
    'your answer would go to app\\.example\\.com\\. (Sign in|Create an account) to decide\\.',
);

test('every page before consent names the app in at most 40 characters, and its host', async (t) => {
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  const { body } = await endpoints.register({
    redirect_uris: [defaultRedirectUri],
    client_name: `Claude ${'W'.repeat(40)} Call 555-0100`,
  });
  const { parameters } = authorizationRequest(String(body.client_id));
  const browser = newBrowser();
  const signIn = await browser.get(endpoints.authorizeUrl(parameters));
  const wrong = { email: newcomer().email, password: 'seven77' };
  const refused = await browser.submit(signIn, '/sign-in', wrong);
  t.is(refused.status, 400);
  const link = refused.links.find(({ href }) => href.startsWith('/sign-up'));
  const signUp = await browser.get(link?.href ?? '');
  const back = signUp.links.find(({ href }) => href.startsWith('/sign-in'));
  const pages = [
    signIn,
    refused,
    await browser.submit(refused, '/sign-in', { email: '', password: '' }),
    signUp,
    await browser.submit(signUp, '/sign-up', wrong),
    await browser.get(back?.href ?? ''),
  ];
  t.deepEqual(
    pages.map(({ text }) => asks.exec(text)?.[1]),
    ['Sign in', 'Sign in', 'Sign in', 'Create an account', 'Create an account', 'Sign in'],
  );
  for (const { title } of pages) t.false(title.includes('Claude'));
});

test('a wrong password and an unknown address are answered with the same words', async (t) => {
  const person = await newPerson(stack);
  const browser = newBrowser();
  const attempt = async (email: string, password: string) => {
    const answer = await browser.submit(await browser.get('/sign-in'), '/sign-in', { email, password });
    t.is(answer.status, 400);
    t.true(answer.text.includes('The e-mail address or the password is wrong.'));
    return answer.markup.replaceAll(email, 'EMAIL').replace(/(?<=challenge&quot;:&quot;)[\w-]+/, '');
  };
  const wrong = await attempt(person.email, 'a wrong guess');
  t.is(wrong, await attempt(newcomer().email, 'a wrong guess'));
  t.is(wrong, await attempt('no address at all', 'a wrong guess'));
  t.deepEqual(await sessionsOf(stack, person), []);
  await waitFor(async () => (await auditEvents(stack, person)).length > 0, { what: 'the failed sign-in' });
  t.deepEqual(
    (await auditEvents(stack, person)).map(({ event, actor }) => [event, actor]),
    [['sign_in_failed', 'service']],
  );
});

test('a refused form keeps the address and never the password', async (t) => {
  const browser = newBrowser();
  const email = `"<b>&'${newcomer().email}`;
  const form = await browser.get('/sign-in?return_to=%2Fsettings%2Fapps');
  const answer = await browser.submit(form, '/sign-in', { email, password: 'not-to-be-repeated' });
  const fields = answer.form('/sign-in').fields;
  t.true(fields.some(([name, value]) => name === 'email' && value === email));
  t.true(fields.some(([name, value]) => name === 'return_to' && value === '/settings/apps'));
  t.false(answer.markup.includes('not-to-be-repeated'));
});

test('the trail says who signed in, where from and with what', async (t) => {
  const behindProxy = await startStack(t, { withAuthServer: true, environment: { TRUSTED_PROXY_HOPS: '1' } });
  const person = await newPerson(behindProxy);
  const browser = createPageBrowser(behindProxy.baseUrl, { userAgent: 'A browser of its own/1.0' });
  const { email, password } = person;
  const headers = { 'x-forwarded-for': '192.0.2.33' };
  await browser.submit(await browser.get('/sign-in'), '/sign-in', { email, password }, { headers });
  const [event, ...further] = await auditEvents(behindProxy, person);
  t.deepEqual(further, []);
  t.like(event, {
    event: 'signed_in',
    actor: 'owner',
    address: '192.0.2.33',
    user_agent: 'A browser of its own/1.0',
  });
  const [session] = await sessionsOf(behindProxy, person);
  t.is(session?.address, '192.0.2.33');
});

test('a password that is changed while it is checked opens nothing', async (t) => {
  const person = await newPerson(stack);
  const browser = newBrowser();
  const form = await browser.get('/sign-in');
  const { email, password, accountId } = person;
  const statement = 'update auth.account set password_hash = $1 where id = $2';
  const values = [await hashPassword('another one by now'), accountId];
  const [answer] = await whileLocked(stack, { table: 'account', statement, values, end: 'commit' }, () => [
    browser.submit(form, '/sign-in', { email, password }),
  ]);
  t.is(answer?.status, 400);
  t.deepEqual(await sessionsOf(stack, person), []);
});

const failuresPerAccount = 10;

async function attempt(browser: PageBrowser, { email, password }: Pick<Person, 'email' | 'password'>) {
  const form = await browser.get('/sign-in');
  return (await browser.submit(form, '/sign-in', { email, password })).status;
}

/** Wrong passwords until no more are taken. */
async function guessOut(browser: PageBrowser, { email }: Person): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count <= failuresPerAccount; count++)
    statuses.push(await attempt(browser, { email, password: `guess ${count}` }));
  return statuses;
}

const refusedAtLast = [...Array(failuresPerAccount).fill(400), 429];

async function signOut(browser: PageBrowser): Promise<void> {
  await browser.submit(await browser.get('/sign-out'), '/sign-out');
}

test.serial('a stranger who guesses wrong does not keep the owner’s browser from signing in', async (t) => {
  const { browser, person } = await newVisit(stack);
  await signOut(browser);
  t.deepEqual(await guessOut(createPageBrowser(stack.baseUrl), person), refusedAtLast);
  t.is(await attempt(createPageBrowser(stack.baseUrl), person), 429);
  t.is(await attempt(browser, person), 303);
  t.is((await browser.get('/settings')).status, 200);
});

test.serial('a browser that signed in before may guess no more often than others', async (t) => {
  const { browser, person } = await newVisit(stack);
  await signOut(browser);
  t.deepEqual(await guessOut(browser, person), refusedAtLast);
  t.is(await attempt(browser, person), 429);
  t.is(await attempt(createPageBrowser(stack.baseUrl), person), 303, 'others count for themselves');
});

test.serial('a browser is known to each account that signed in there, and to no other', async (t) => {
  const { browser, person } = await newVisit(stack);
  const [second, stranger] = [await newPerson(stack), await newPerson(stack)];
  await signOut(browser);
  t.is(await attempt(browser, second), 303);
  await signOut(browser);
  for (const each of [person, second, stranger]) await guessOut(createPageBrowser(stack.baseUrl), each);
  t.is(await attempt(browser, stranger), 429);
  t.is(await attempt(browser, person), 303);
  await signOut(browser);
  t.is(await attempt(browser, second), 303);
});

test.serial('a cookie that was made up, or is another account’s, counts for nothing', async (t) => {
  const { browser } = await newVisit(stack);
  const person = await newPerson(stack);
  await guessOut(createPageBrowser(stack.baseUrl), person);
  const own = browser.cookies.get('tasks_browser') ?? '';
  for (const value of [own, `${'A'.repeat(22)}.${own.split('.')[1]}`, 'x', '.', `${own}.${own}`]) {
    const forger = createPageBrowser(stack.baseUrl);
    forger.cookies.set('tasks_browser', value);
    t.is(await attempt(forger, person), 429, value);
  }
});
