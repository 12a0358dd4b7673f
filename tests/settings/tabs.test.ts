import test from 'ava';
import { untrustedText } from '#auth-server/html/text.ts';
import { assistantWays } from '#shared/app/assistant-ways.ts';
import { newVisit } from '#tests/pages/visitors.ts';
import { makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { elementsNamed, findElements } from '#tests/support/page-markup.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { words } from '#tests/support/words.ts';
import { connectApp, furtherBrowser, trailOf } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true });

test('light or dark is chosen for the browser, and stays when its user signs out', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const schemeOf = ({ markup }: PageView) => /<meta name="color-scheme" content="(.+?)">/.exec(markup)?.[1];
  const choose = async (theme: string) =>
    browser.follow(await browser.submit(await browser.get('/settings'), '/settings/theme', { theme }));
  t.is(schemeOf(await browser.get('/settings')), 'light dark');
  const dark = await choose('dark');
  t.true(dark.text.includes('Saved for this browser.'));
  t.is(schemeOf(dark), 'dark');
  t.is(schemeOf(await browser.get('/mcp')), 'dark');
  await browser.submit(dark, '/sign-out', {});
  t.is(schemeOf(await browser.get('/sign-in')), 'dark');
  await browser.signIn({ email: account.email, password: account.password });
  t.is(schemeOf(await choose('')), 'light dark');
});

test('another time zone counts from the next request on', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const token = await stack.createToken(account);
  const answer = await browser.submit(await browser.get('/settings'), '/settings/timezone', {
    timezone: 'America/New_York',
  });
  t.is(answer.status, 303);
  const page = await browser.follow(answer);
  t.true(page.text.includes('Your time zone is saved.'));
  t.is((await stack.client(token).get('/me')).body.timezone, 'America/New_York');
});

test('a time zone that does not exist is refused beside its field, and nothing changes', async (t) => {
  const { person: account, browser } = await newVisit(stack, { timezone: 'Europe/Berlin' });
  for (const timezone of [
    'Mars/Olympus',
    '',
    '+02:00',
    'europe/berlin',
    '<script>alert(1)</script>',
    undefined,
  ]) {
    const form = await browser.get('/settings');
    const answer = await browser.submit(form, '/settings/timezone', { timezone });
    t.is(answer.status, 400, timezone);
    t.deepEqual(answer.invalidFields, ['timezone']);
    t.true(answer.description('timezone').startsWith('Choose one of the time zones in the list.'));
  }
  const rows = await stack.sql`select timezone from auth.account where id = ${account.accountId}`;
  t.deepEqual(rows, [{ timezone: 'Europe/Berlin' }]);
});

const hasNotice = ({ root }: PageView): boolean =>
  findElements(root, ({ attributes }) => attributes.get('class') === 'notice').length > 0;

test('no address makes a page say what was not done, and no cookie what we never say', async (t) => {
  const { browser } = await newVisit(stack);
  for (const word of ['password-changed', 'token-revoked', '<b>hello</b>', 'constructor', '__proto__', '']) {
    const page = await browser.get(`/settings?done=${encodeURIComponent(word)}`);
    t.is(page.status, 200);
    t.false(hasNotice(page), word);
  }
  for (const word of ['<b>hello</b>', 'constructor', '__proto__', '%00', '']) {
    browser.cookies.set('tasks_notice', word);
    const page = await browser.get('/settings');
    t.is(page.status, 200);
    t.false(hasNotice(page), word);
  }
});

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  'Version/19.0 Mobile/15E148 Safari/604.1';

test('every signed-in browser is shown with its address, this one marked', async (t) => {
  const owner = await newVisit(stack);
  await furtherBrowser(stack, owner, phone);
  const { text } = await owner.browser.get('/settings/sessions');
  t.regex(
    text,
    /Firefox on Linux This browser Address 127\.0\.0\.1 \(this network\) Signed in just now Last seen now/,
  );
  t.regex(text, /Safari on iPhone Address 127\.0\.0\.1 \(this network\) Signed in just now/);
  await stack.sql`update auth.browser_session set address = '192.168.1.7',
    created_at = now() - interval '3 hours', last_seen_at = now() - interval '47 hours'
    where user_agent = ${phone} and account_id = ${owner.person.accountId}`;
  t.regex(
    (await owner.browser.get('/settings/sessions')).text,
    /Safari on iPhone Address 192\.168\.1\.7 \(a local network\) Signed in 3 hours ago Last seen 1 day ago/,
  );
});

test('wrong passwords are listed, those in a row from one browser together', async (t) => {
  const owner = await newVisit(stack);
  const stranger = createPageBrowser(stack.baseUrl, { userAgent: phone });
  const { email } = owner.person;
  for (let count = 1; count <= 3; count++) {
    const form = await stranger.get('/sign-in');
    await stranger.submit(form, '/sign-in', { email, password: `guess ${count}` });
  }
  const failures = async () =>
    (await trailOf(stack, owner.person)).filter(({ event }) => event === 'sign_in_failed').length;
  await waitFor(async () => (await failures()) === 3, { what: 'three events' });
  const entry =
    /3 sign-ins failed: wrong password just now, with Safari on iPhone, from 127\.0\.0\.1 \(this network\)/;
  for (const path of ['/settings/sessions', '/settings/activity'])
    t.regex((await owner.browser.get(path)).text, entry);
});

test('failed sign-ins are listed behind many other events, and above 200 as “at least”', async (t) => {
  const { person, browser } = await newVisit(stack);
  const happened = (event: string, count: number) =>
    stack.sql`insert into auth.audit_event (account_id, happened_at, event, actor, user_agent, address)
      select ${person.accountId}, now(), ${event}, 'owner', 'Script', '198.51.100.7'
      from generate_series(1, ${count}::int)`;
  const shows = async (text: RegExp) => t.regex((await browser.get('/settings/sessions')).text, text);
  await happened('sign_in_failed', 2);
  await happened('signed_in', 250);
  await shows(/Failed sign-ins .* 2 sign-ins failed: wrong password/);
  await happened('sign_in_failed', 200);
  await shows(/ At least 200 sign-ins failed: wrong password/);
});

test('a browser that is signed out has to sign in at its next request', async (t) => {
  const owner = await newVisit(stack);
  const other = await furtherBrowser(stack, owner, phone);
  const third = await furtherBrowser(stack, owner);
  const page = await owner.browser.get('/settings/sessions');
  const entry = page.forms.find(({ action }) => action.endsWith('/end'));
  const onPhone = await stack.sql<{ id: string }>`select id from auth.browser_session
    where account_id = ${owner.person.accountId} and user_agent = ${phone}`;
  t.truthy(entry);
  const answer = await owner.browser.submit(page, `/settings/sessions/${onPhone[0]?.id}/end`);
  t.is(answer.status, 303);
  t.true((await owner.browser.follow(answer)).text.includes('That browser has been signed out.'));
  t.is((await other.get('/settings')).status, 303);
  t.is((await third.get('/settings')).status, 200);
  t.like((await trailOf(stack, owner.person)).at(-1), {
    event: 'session_ended',
    actor: 'owner',
    subjectName: 'Safari on iPhone',
  });
});

test('all other browsers are signed out together', async (t) => {
  const owner = await newVisit(stack);
  const others = [await furtherBrowser(stack, owner), await furtherBrowser(stack, owner)];
  const openForms = await Promise.all(others.map((other) => other.get('/settings')));
  const neighbour = await newVisit(stack);
  const page = await owner.browser.get('/settings/sessions');
  const answer = await owner.browser.submit(page, '/settings/sessions/end-others');
  t.true((await owner.browser.follow(answer)).text.includes('All other browsers have been signed out.'));
  for (const [index, other] of others.entries()) {
    const form = openForms[index] ?? page;
    const sent = await other.submit(form, '/settings/timezone', { timezone: 'Asia/Tokyo' });
    t.true((await other.follow(sent)).text.includes('You were signed out meanwhile: nothing was changed.'));
    t.is((await other.get('/settings')).status, 303);
  }
  t.is((await neighbour.browser.get('/settings')).status, 200);
  const again = await owner.browser.submit(page, '/settings/sessions/end-others');
  t.is(again.status, 303);
  t.is((await trailOf(stack, owner.person)).length, 1);
});

test('a page has a hundred browsers, those seen last first, and all can be signed out', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  await stack.sql`insert into auth.browser_session
      (id, secret_hash, account_id, address, user_agent, created_at, last_seen_at, expires_at)
    select gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), ${account.accountId}, '198.51.100.7',
      'Script', now(), now(), now() + interval '1 day' from generate_series(1, 1100)`;
  const page = await browser.get('/settings/sessions');
  t.true(page.text.includes('This browser'));
  t.true(page.text.includes('1,001 more, seen less recently'));
  const forms = new Set<string>();
  let path: string | undefined = '/settings/sessions';
  while (path !== undefined) {
    const { forms: shown, links } = await browser.get(path);
    for (const { action } of shown) if (/sessions\/[0-9a-f-]{36}\/end$/.test(action)) forms.add(action);
    path = links.find(({ text }) => text.endsWith('more, seen less recently'))?.href;
  }
  t.is(forms.size, 1_100);
});

test('an app is shown with what it may do, since when, and its last use', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const { appId } = await connectApp(stack, account, { name: 'Claude', scopes: 'read' });
  const grantedAt = '2026-03-04T05:06:07.000Z';
  await stack.sql`update auth.oauth_grant set created_at = ${grantedAt}, last_used_at = ${grantedAt}
    where id = ${appId}`;
  const before = await browser.get('/settings/apps');
  t.true(
    before.text.includes(
      '“Claude” Read only May See your tasks, projects and areas, with their notes and dates.',
    ),
  );
  t.false(before.text.includes('Add tasks'));
  t.is(before.markup.match(/<time datetime="2026-03-04T05:06:07.000Z">/g)?.length, 2);

  await stack.sql`insert into tasks.token_use (account_id, token_id, last_used_at)
    values (${account.accountId}, ${appId}, '2026-05-06T07:08:09Z')`;
  const after = await browser.get('/settings/apps');
  t.true(after.markup.includes('<dd><time datetime="2026-05-06T07:08:09.000Z">'));

  const refreshedAt = '2026-06-07T08:09:10.000Z';
  await stack.sql`update auth.oauth_grant set last_used_at = ${refreshedAt} where id = ${appId}`;
  t.true((await browser.get('/settings/apps')).markup.includes(`<time datetime="${refreshedAt}">`));
});

test('the address for assistants is shown with the steps for each that can reach it', async (t) => {
  const { browser } = await newVisit(stack);
  const { text, links } = await browser.get('/settings/apps');
  const address = `${stack.baseUrl}/mcp`;
  t.true(
    text.includes(`Give it this address. It opens a page here, where you decide what it may do. ${address}`),
  );
  for (const name of ['Claude Code', 'Cursor', 'VS Code']) t.true(text.includes(` ${name} `), name);
  for (const name of ['Claude on the web', 'ChatGPT']) t.false(text.includes(name), name);
  const everywhere = assistantWays('https://tasks.example.com/mcp').map(({ name }) => name);
  t.true(everywhere.includes('ChatGPT'), 'at a public address');
  t.true(text.includes(`claude mcp add --transport http tasks ${address}`));
  t.true(text.includes('Web assistants can’t reach it.'));
  t.true(links.some(({ href }) => href === '/app/'));
});

test('an app that has expired is not connected', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const { appId } = await connectApp(stack, account, { name: 'Over' });
  await stack.sql`update auth.oauth_grant set expires_at = now() - interval '1 second' where id = ${appId}`;
  const { text } = await browser.get('/settings/apps');
  t.true(text.includes('No app is connected.'));
});

test('every event has its sentence, and says who did it', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  const cases: [string, string, string | null, string][] = [
    ['account_created', 'operator', null, 'The account was created'],
    ['signed_out', 'owner', null, 'Signed out'],
    ['session_ended', 'owner', 'Safari on Mac', '“Safari on Mac” was signed out'],
    ['session_ended', 'owner', null, 'All other browsers were signed out'],
    ['password_changed', 'operator', null, 'The password was changed'],
    ['token_created', 'operator', 'a', 'Token “a” was created'],
    ['token_revoked', 'operator', 'b', 'Token “b” was revoked'],
    ['app_connected', 'owner', 'c', '“c” was connected'],
    ['app_disconnected', 'app', 'd', '“d” was disconnected'],
    ['app_token_reused', 'service', 'e', '“e” was disconnected, because one of its tokens was used twice'],
  ];
  for (const [event, actor, name] of cases) {
    await stack.sql`insert into auth.audit_event (account_id, happened_at, event, actor, subject_name)
      values (${account.accountId}, now(), ${event}, ${actor}, ${name})`;
  }
  const { text } = await browser.get('/settings/activity');
  for (const [, , , sentence] of cases) t.true(text.includes(sentence), sentence);
  t.regex(text, /“d” was disconnected [^“]* by the app/);
  t.regex(text, /“e” was disconnected, .* automatically/);
  t.regex(text, /The password was changed .* by the operator/);
});

test('fifty events are a page, the older ones follow by a link, without gaps or repeats', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  for (let number = 1; number <= 120; number += 1) {
    await stack.sql`insert into auth.audit_event (account_id, happened_at, event, actor, subject_name)
      values (${account.accountId}, now(), 'token_created', 'owner', ${`n${number}`})`;
  }
  const seen: string[] = [];
  const sizes: number[] = [];
  let path: string | undefined = '/settings/activity';
  while (path !== undefined) {
    const page = await browser.get(path);
    const names = [...page.text.matchAll(/Token “(n\d+)”/g)].map(([, name = '']) => name);
    const older = page.links.find(({ text }) => text === 'Older entries');
    seen.push(...names);
    sizes.push(page.markup.match(/<li>/g)?.length ?? 0);
    path = older?.href;
  }
  t.deepEqual(sizes, [50, 50, 21]);
  t.deepEqual(
    seen,
    Array.from({ length: 120 }, (_, index) => `n${120 - index}`),
  );
});

test('the page of the plan names each limit, what is used of it, and whom to ask', async (t) => {
  const environment = { PLAN_CONTACT: 'plans@example.com', ACCOUNT_STORAGE_MEGABYTES: '8' };
  const limited = await startStack(t, { withAuthServer: true, environment });
  const { person: account, browser } = await newVisit(limited);
  t.true((await browser.get('/settings/plan')).text.includes('Storage 0.0 of 8 MB'));
  const client = { ...limited.client(await limited.createToken(account)), account };
  await makeProject(client);
  await makeArea(client);
  await makeTask(client, { description: 'Words. '.repeat(14_000) });
  const { text } = await browser.get('/settings/plan');
  for (const line of [
    'Your plan: Free',
    'Active projects 1 of 5',
    'Areas 1 of 2',
    'Deadlines Not included',
    'Logbook The last 14 days',
    'Personal tokens 1 of 50',
    'Connected apps 0 of 100',
    'Requests a minute',
    'For another plan, or more storage, contact plans@example.com.',
  ])
    t.true(text.includes(line), line);
  t.regex(text, /Storage 0\.[2-9] of 8 MB/);
});

test('whoever makes a token or allows an app reads that writing shows what was written', async (t) => {
  const { browser } = await newVisit(stack);
  const { text } = await browser.get('/settings/api');
  t.true(text.includes('Each change shows what it changed, a task’s notes included.'));
});

const hostileNames = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><h1>Another page</h1>',
  '&lt;b&gt; &amp; &#x3c;',
  '${alert(1)} {{7*7}} <%= 7 %>',
  'evil\u202etxt.exe',
  '\u2066\u2067\u2068 isolated \u200f\u200e',
  'line\nbreak\r\ttab\u2028\u2029',
  'W'.repeat(200),
  `a${'\u0301'.repeat(150)}`,
  'مرحبا بالعالم 👨‍👩‍👧‍👦 ❤️',
];

test('whatever a name holds, each page stays the page it is and shows the name', async (t) => {
  const owner = await newVisit(stack);
  const { person: account, browser } = owner;
  const tabs = ['/settings/api', '/settings/apps', '/settings/sessions', '/settings/activity'];
  for (const name of hostileNames) {
    await stack.createToken(account, { name });
    await connectApp(stack, account, { name, clientId: `https://example.com/${encodeURI(name)}` });
    // Header values can't hold every character.
    const userAgent = name.replace(/[^\x20-\x7e]/g, '');
    if (userAgent.trim() !== '') await furtherBrowser(stack, owner, userAgent);
    await browser.submit(await browser.get('/settings/api'), '/settings/api', { name, scope: ['read'] });
  }
  for (const tab of tabs) {
    // The view throws for markup that is not well-formed.
    const page = await browser.get(tab);
    t.is(elementsNamed(page.root, 'script').length, 1, tab);
    t.is(elementsNamed(page.root, 'h1').length, 1, tab);
    t.is(page.markup.match(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u2028\u2029]/), null, tab);
    t.false(/<[^>]*\son\w+=/.test(page.markup), tab);
    t.true(page.text.includes('<script>alert(1)</script>'), tab);
    t.true(page.text.includes("' onmouseover='alert(1)"), tab);
  }
  const { text } = await browser.get('/settings/api');
  t.true(text.includes('evilU+202Etxt.exe'));
  t.true(text.includes('مرحبا بالعالم 👨‍👩‍👧‍👦 ❤️'));
});

test('without mail its reminders are not counted on, and the user’s choice is kept', async (t) => {
  const { person: account, browser } = await newVisit(stack);
  await stack.sql`insert into auth.reminder_settings (account_id, by_mail)
    values (${account.accountId}, true)`;
  const page = await browser.get('/settings/reminders');
  t.regex(
    page.text,
    /No reminder will be sent, .+: turn them on in a browser\..*This service cannot send mail/,
  );
  const channels = await browser.get('/app/session/reminders');
  t.deepEqual(JSON.parse(channels.markup), { push: false, mail: false });
  // The box is disabled: browsers do not send it.
  const fields = { by_mail: undefined, digest_hour: '7' };
  t.is((await browser.submit(page, '/settings/reminders/channels', fields)).status, 303);
  const stored = await stack.sql`select by_mail, digest_hour from auth.reminder_settings
    where account_id = ${account.accountId}`;
  t.deepEqual(stored, [{ by_mail: true, digest_hour: 7 }]);
});

test('what somebody hides in a name is shown by its number, what languages and emoji need is left', (t) => {
  const shown = (text: string) => untrustedText(text).text.replace(/^<bdi class="untrusted">|<\/bdi>$/g, '');
  t.is(shown('a\u202eb'), 'a<code>U+202E</code>b');
  t.is(
    shown('\u{e0041}\u00ad\ufeff\u3164'),
    ['E0041', '00AD', 'FEFF', '3164'].map((hex) => `<code>U+${hex}</code>`).join(''),
  );
  t.is(shown('\u0007\n'), '<code>U+0007</code><code>U+000A</code>');
  t.is(shown('\ue000\u{10ffff}'), '<code>U+E000</code><code>U+10FFFF</code>');
  for (const kept of [...words('👩‍💻 ❤️ می‌خواهم é ệ नमस्ते ภาษาไทยที่นี่ 葛\u{e0100}'), 'ñandú – “x”']) {
    t.is(shown(kept), kept);
  }
  t.is(shown(`x${'\u0301'.repeat(9)}y`), `x${'\u0301'.repeat(4)}…y`);
  t.is(shown('<&"\''), '&lt;&amp;&quot;&#39;');
});
