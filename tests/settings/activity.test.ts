import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { connectApp, signedInOwner } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true });

test('what the owner does is listed newest first, with where from', async (t) => {
  const { account, browser } = await signedInOwner(stack);
  const { appId } = await connectApp(stack, account, { name: 'Claude' });
  const form = await browser.get('/settings/api');
  await browser.submit(form, '/settings/api', { name: 'backup', scope: ['read'] });
  await browser.submit(await browser.get('/settings/apps'), `/settings/apps/${appId}/disconnect`);
  const { text } = await browser.get('/settings/activity');
  const sentences = ['“Claude” was disconnected', 'Token “backup” was created', 'Signed in'];
  const places = sentences.map((sentence) => text.indexOf(sentence));
  t.true(
    places.every((place) => place > 0),
    text,
  );
  t.deepEqual(
    places,
    places.toSorted((left, right) => left - right),
  );
  t.regex(text, /“Claude” was disconnected [^“]* by you, with Firefox on Linux, from 127\.0\.0\.1/);
});

test('every event has its sentence, and says who did it', async (t) => {
  const { account, browser } = await signedInOwner(stack);
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
    ['app_token_reused', 'service', 'e', '“e” was disconnected, because one of its tokens came twice'],
  ];
  for (const [event, actor, name] of cases) {
    await stack.sql`insert into auth.audit_event (account_id, happened_at, event, actor, subject_name)
      values (${account.accountId}, now(), ${event}, ${actor}, ${name})`;
  }
  const { text } = await browser.get('/settings/activity');
  for (const [, , , sentence] of cases) t.true(text.includes(sentence), sentence);
  t.regex(text, /“d” was disconnected [^“]* by the app/);
  t.regex(text, /“e” was disconnected, .* automatically/);
  t.regex(text, /The password was changed .* by whoever runs this service/);
});

test('fifty events are a page, the older ones follow by a link, without gaps or repeats', async (t) => {
  const { account, browser } = await signedInOwner(stack);
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
    const older = page.links.find(({ text }) => text === 'Older activity');
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
