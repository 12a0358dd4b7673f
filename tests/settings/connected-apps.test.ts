import test from 'ava';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp as authorizeApp, refreshRequest } from '#tests/oauth/oauth-flow.ts';
import { startStack } from '#tests/support/stack.ts';
import { connectApp, signedInOwner, trailOf } from './signed-in-owner.ts';

const stack = await startStack(test, { withAuthServer: true });

test('an app is shown with what it may do, since when, and its last use', async (t) => {
  const { account, browser } = await signedInOwner(stack);
  const { appId } = await connectApp(stack, account, { name: 'Claude', scopes: 'read' });
  const grantedAt = '2026-03-04T05:06:07.000Z';
  await stack.sql`update auth.oauth_grant set created_at = ${grantedAt}, last_used_at = ${grantedAt}
    where id = ${appId}`;
  const before = await browser.get('/settings/apps');
  t.true(
    before.text.includes('“Claude” May See your tasks, projects and areas, with their notes and dates.'),
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

test('an app that never redeemed its code, or has expired, is not connected', async (t) => {
  const { account, browser } = await signedInOwner(stack);
  await connectApp(stack, account, { name: 'Waiting', isRedeemed: false });
  const { appId } = await connectApp(stack, account, { name: 'Over' });
  await stack.sql`update auth.oauth_grant set expires_at = now() - interval '1 second' where id = ${appId}`;
  const { text } = await browser.get('/settings/apps');
  t.true(text.includes('No app is connected.'));
});

test('a disconnected app ends with its refresh tokens, on the trail, and leaves the others alone', async (t) => {
  const { account, browser } = await signedInOwner(stack);
  const ended = await connectApp(stack, account, { name: 'Ended' });
  const kept = await connectApp(stack, account, { name: 'Kept', clientId: ended.clientId });
  const answer = await browser.submit(
    await browser.get('/settings/apps'),
    `/settings/apps/${ended.appId}/disconnect`,
  );
  t.is(answer.status, 303);
  const page = await browser.follow(answer);
  t.true(page.text.includes('The app is disconnected'));
  t.false(page.text.includes('Ended'));
  t.true(page.text.includes('Kept'));
  const tokens = await stack.sql`select grant_id from auth.oauth_token
    where grant_id in (${ended.appId}, ${kept.appId})`;
  t.deepEqual(tokens, [{ grant_id: kept.appId }]);
  t.deepEqual(await trailOf(stack, account), [
    { event: 'app_disconnected', actor: 'owner', subjectId: ended.appId, subjectName: 'Ended' },
  ]);
});

test('an app that was disconnected is refused by its next request and its next refresh', async (t) => {
  const { account, browser } = await signedInOwner(stack);
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  const app = await authorizeApp({ endpoints, browser });
  t.is(await endpoints.me(app.tokens.access_token), 200);
  const page = await browser.get('/settings/apps');
  t.true(page.text.includes('“Test app”'));
  t.is((await browser.submit(page, `/settings/apps/${app.grantId}/disconnect`)).status, 303);
  t.is(await endpoints.me(app.tokens.access_token), 401);
  const refreshed = await endpoints.token(refreshRequest(app));
  t.is(refreshed.status, 400);
  t.is(refreshed.body.error, 'invalid_grant');
  t.deepEqual(
    (await trailOf(stack, account)).map(({ event, actor }) => [event, actor]),
    [
      ['app_connected', 'owner'],
      ['app_disconnected', 'owner'],
    ],
  );
});
