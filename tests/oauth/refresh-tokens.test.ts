import test from 'ava';
import { decodeJwt } from 'jose';
import { startStack } from '#tests/support/stack.ts';
import { createOAuthEndpoints, type Parameters } from './oauth-endpoints.ts';
import {
  type ConnectedApp,
  connectApp,
  refreshRequest,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';
import { untilWaiting, whileLocked } from './while-locked.ts';

const world = await startOAuthWorld(undefined);
const clientId = await registerClient(world);
const otherClientId = await registerClient(world);
/** Its clock goes on from test to test. */
const later = await startOAuthWorld(undefined, { now: new Date() });
const strict = await startOAuthWorld(undefined, { environment: { REFRESH_REUSE_GRACE_SECONDS: '0' } });
const strictClient = await registerClient(strict);
test.after.always(() => Promise.all([world, later, strict].map(({ stack }) => stack.close())));
const { endpoints, stack } = world;

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };
const second = 1_000;
const day = 86_400 * second;

test('20 refreshes at once with one token succeed, and one of them goes on (specification §5)', async (t) => {
  const app = await connectApp(world, { clientId });
  const answers = await Promise.all(Array.from({ length: 20 }, () => endpoints.token(refreshRequest(app))));
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.is(new Set(answers.map(({ body }) => body.refresh_token)).size, 20);
  for (const { body } of answers) t.is(await endpoints.me(body.access_token), 200);
  const [chosen, sibling] = answers.map(({ body }) => body.refresh_token);
  const next = await endpoints.token(refreshRequest(app, chosen));
  t.is(next.status, 200);
  t.is((await endpoints.token(refreshRequest(app, next.body.refresh_token))).status, 200);
  t.like(await endpoints.token(refreshRequest(app, sibling)), invalidGrant);
  t.is(await endpoints.me(next.body.access_token), 401, 'two hold tokens of one chain');
});

test('within the grace, a token whose successor was used ends the grant when it comes again', async (t) => {
  const app = await connectApp(world, { clientId });
  const first = await endpoints.token(refreshRequest(app));
  const next = await endpoints.token(refreshRequest(app, first.body.refresh_token));
  t.is(next.status, 200);
  t.is((await endpoints.token(refreshRequest(app, first.body.refresh_token))).status, 200, 'its own grace');
  t.like(await endpoints.token(refreshRequest(app)), invalidGrant);
  t.is(await endpoints.me(next.body.access_token), 401);
});

test.serial('a used token ends its grant at once after the grace (RFC 9700 §4.14.2)', async (t) => {
  const { endpoints: there } = later;
  const app = await connectApp(later);
  const bystander = await connectApp(later, { clientId: app.clientId });
  const first = await there.token(refreshRequest(app));
  later.stack.clock.advance(29 * second);
  const withinGrace = await there.token(refreshRequest(app));
  t.is(withinGrace.status, 200, 'the grace of 30 s');
  later.stack.clock.advance(second);
  t.is(await there.me(first.body.access_token), 200);

  t.like(await there.token(refreshRequest(app)), invalidGrant);
  for (const { body } of [first, withinGrace]) {
    t.is(await there.me(body.access_token), 401);
    t.like(await there.token(refreshRequest(app, body.refresh_token)), invalidGrant);
  }
  t.is(await there.me(app.tokens.access_token), 401);
  t.deepEqual(await later.stack.sql`select id from auth.oauth_grant where id = ${app.grantId}`, []);
  const events = await later.stack.sql`select event, subject_id from auth.audit_event
    where subject_id = ${app.grantId} order by sequence desc limit 1`;
  t.deepEqual(events, [{ event: 'app_token_reused', subject_id: app.grantId }]);
  t.is((await there.token(refreshRequest(bystander))).status, 200);
});

test.serial('a use within the grace does not prolong it (RFC 9700 §4.14.2)', async (t) => {
  const app = await connectApp(later);
  for (const waited of [0, 15, 14]) {
    later.stack.clock.advance(waited * second);
    t.is((await later.endpoints.token(refreshRequest(app))).status, 200);
  }
  later.stack.clock.advance(second);
  t.like(await later.endpoints.token(refreshRequest(app)), invalidGrant);
});

test.serial(
  'without a grace period exactly one concurrent refresh succeeds; reuse ends the grant (RFC 9700 §4.14.2)',
  async (t) => {
    const app = await connectApp(strict, { clientId: strictClient });
    const refresh = () => strict.endpoints.token(refreshRequest(app));
    const answers = await Promise.all(Array.from({ length: 20 }, refresh));
    const outcomes = answers.map(({ status, body }) => `${status} ${body.error ?? ''}`).sort();
    t.deepEqual(outcomes, ['200 ', ...Array(19).fill('400 invalid_grant')]);

    const raced = await connectApp(strict, { clientId: strictClient });
    const statement = 'select 1 from auth.oauth_token where grant_id = $1 for update';
    const racers = await whileLocked(
      strict.stack,
      { table: 'oauth_token', statement, values: [raced.grantId], end: 'rollback' },
      () => Array.from({ length: 5 }, () => strict.endpoints.token(refreshRequest(raced))),
    );
    t.deepEqual(racers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);

    const underWay = await connectApp(strict, { clientId: strictClient });
    await strict.stack.sql`update auth.oauth_token set consumed_at = clock_timestamp()
      where grant_id = ${underWay.grantId} and kind = 'refresh_token'`;
    t.like(await strict.endpoints.token(refreshRequest(underWay)), invalidGrant);
    t.is(await strict.endpoints.me(underWay.tokens.access_token), 200, 'another use that is under way');

    const other = await connectApp(strict, { clientId: strictClient });
    const { body } = await strict.endpoints.token(refreshRequest(other));
    t.is(await strict.endpoints.me(body.access_token), 200);
    t.like(await strict.endpoints.token(refreshRequest(other)), invalidGrant);
    t.is(await strict.endpoints.me(body.access_token), 401);
    t.like(await strict.endpoints.token(refreshRequest(other, body.refresh_token)), invalidGrant);
  },
);

test.serial('a used token is known where replicas’ clocks differ, too (RFC 9700 §4.14.2)', async (t) => {
  const app = await connectApp(later);
  const refresh = () => later.endpoints.token(refreshRequest(app));
  t.is((await refresh()).status, 200);
  later.stack.clock.advance(-4 * second);
  const newest = await refresh();
  t.is(newest.status, 200);
  later.stack.clock.advance(34 * second);
  t.like(await refresh(), invalidGrant);
  t.like(await later.endpoints.token(refreshRequest(app, newest.body.refresh_token)), invalidGrant);
});

test.serial('a refresh and the end of its grant come one after the other (RFC 7009 §2.1)', async (t) => {
  for (const isRefreshFirst of [true, false]) {
    const app = await connectApp(strict, { clientId: strictClient });
    const refresh = (): Promise<{ status: number }> => strict.endpoints.token(refreshRequest(app));
    const revoke = (): Promise<{ status: number }> =>
      strict.endpoints.revoke({ token: app.tokens.refresh_token, client_id: strictClient });
    const statement = 'select 1 from auth.oauth_token where grant_id = $1 for update';
    const answers = await whileLocked(
      strict.stack,
      { table: 'oauth_', statement, values: [app.grantId], end: 'rollback' },
      () => {
        const [first, second] = isRefreshFirst ? [refresh, revoke] : [revoke, refresh];
        return [first(), untilWaiting(strict.stack.sql, 'oauth_', 1).then(second)];
      },
    );
    t.deepEqual(
      answers.map(({ status }) => status),
      isRefreshFirst ? [200, 200] : [200, 400],
    );
    t.is(await strict.endpoints.me(app.tokens.access_token), 401);
    t.deepEqual(
      await strict.stack.sql`select kind from auth.oauth_token where grant_id = ${app.grantId}`,
      [],
    );
  }
});

const wrongTries: Record<string, [changes: Parameters, error: string, status?: number]> = {
  'by another client (RFC 6749 §6)': [{ client_id: otherClientId }, 'invalid_grant'],
  'by a client nobody knows (RFC 6749 §5.2)': [{ client_id: 'app_unknown' }, 'invalid_client', 401],
  'by no client (RFC 6749 §6)': [{ client_id: undefined }, 'invalid_request'],
  'by two clients (RFC 6749 §3.2)': [{ client_id: [clientId, otherClientId] }, 'invalid_request'],
  'for more than was granted (RFC 6749 §6)': [{ scope: 'read write' }, 'invalid_scope'],
  'for something else than was granted (RFC 6749 §6)': [{ scope: 'write' }, 'invalid_scope'],
  'for a scope nobody knows (RFC 6749 §5.2)': [{ scope: 'admin' }, 'invalid_scope'],
  'for two lists of scopes (RFC 6749 §3.2)': [{ scope: ['read', 'read'] }, 'invalid_request'],
  'for a resource that is not ours (RFC 8707 §2.2)': [{ resource: 'https://evil.example' }, 'invalid_target'],
  'for our resource and another one (RFC 8707 §2.2)': [
    { resource: [stack.baseUrl, 'https://evil.example'] },
    'invalid_target',
  ],
  'for a resource that is no URI (RFC 8707 §2)': [{ resource: '/mcp' }, 'invalid_target'],
};

for (const [what, [changes, error, status = 400]] of Object.entries(wrongTries)) {
  test(`a refresh ${what} is refused and leaves the token as it was`, async (t) => {
    const app = await connectApp(world, { clientId, scopes: ['read'] });
    t.like(await endpoints.token({ ...refreshRequest(app), ...changes }), { status, body: { error } });
    const [stored] = await stack.sql<{ consumed: number }>`select count(consumed_at)::int as consumed
      from auth.oauth_token where grant_id = ${app.grantId} and kind = 'refresh_token'`;
    t.is(stored?.consumed, 0);
    const { status: refreshed, body } = await endpoints.token(refreshRequest(app));
    t.deepEqual([refreshed, body.scope], [200, 'read']);
  });
}

test.serial('another client that tries a used token ends nobody’s grant (RFC 9700 §4.14.2)', async (t) => {
  const app = await connectApp(strict);
  const stranger = await registerClient(strict);
  const { body } = await strict.endpoints.token(refreshRequest(app));
  const stolen = { ...refreshRequest(app), client_id: stranger };
  t.like(await strict.endpoints.token(stolen), invalidGrant);
  t.is((await strict.endpoints.token(refreshRequest(app, body.refresh_token))).status, 200);
});

test.serial('under another BASE_URL an app is told to connect again (RFC 6749 §5.2)', async (t) => {
  const app = await connectApp(strict);
  const { databaseUrl } = strict.stack;
  const { baseUrl } = await startStack(t, { withAuthServer: true, databaseUrl });
  for (const resource of [undefined, `${baseUrl}/mcp`])
    t.like(await createOAuthEndpoints(baseUrl).token({ ...refreshRequest(app), resource }), invalidGrant);
  t.is((await strict.endpoints.token(refreshRequest(app))).status, 200, 'the address before is back');
});

test('any name of our resource refreshes, or none (RFC 8707 §2)', async (t) => {
  const { baseUrl, apiRoot } = stack;
  let app: ConnectedApp = await connectApp(world, { clientId });
  const names = [undefined, '', baseUrl, `${baseUrl}/`, apiRoot, `${baseUrl}/mcp`, baseUrl.toUpperCase()];
  for (const resource of [...names, [`${baseUrl}/mcp`, baseUrl]]) {
    const { status, body } = await endpoints.token({ ...refreshRequest(app), resource });
    t.is(status, 200, String(resource));
    t.is(decodeJwt(body.access_token).aud, apiRoot);
    app = { ...app, tokens: body };
  }
});

test('a narrower refresh does not limit what the next one may request (RFC 6749 §6)', async (t) => {
  const app = await connectApp(world, { clientId });
  const narrow = await endpoints.token({ ...refreshRequest(app), scope: 'read admin openid' });
  t.is(narrow.body.scope, 'read');
  t.is(decodeJwt(narrow.body.access_token).scope, 'read');
  const wide = await endpoints.token(refreshRequest(app, narrow.body.refresh_token));
  t.is(wide.body.scope, 'read write');
});

test.serial('a refresh token ends after 30 days without use (RFC 9700 §4.14.2)', async (t) => {
  let app = await connectApp(later);
  for (let month = 0; month < 3; month += 1) {
    later.stack.clock.advance(30 * day - second);
    const { status, body } = await later.endpoints.token(refreshRequest(app));
    t.is(status, 200);
    app = { ...app, tokens: body };
  }
  later.stack.clock.advance(30 * day);
  t.like(await later.endpoints.token(refreshRequest(app)), invalidGrant);
});

test.serial('a grant ends after its year, however often it was refreshed (RFC 9700 §4.14.2)', async (t) => {
  const later = await startOAuthWorld(t, { now: new Date(), environment: { GRANT_TTL_SECONDS: '120' } });
  let app = await connectApp(later);
  later.stack.clock.advance(119 * second);
  const { status, body } = await later.endpoints.token(refreshRequest(app));
  t.is(status, 200);
  app = { ...app, tokens: body };
  t.is(await later.endpoints.me(body.access_token), 200);
  later.stack.clock.advance(second);
  t.like(await later.endpoints.token(refreshRequest(app)), invalidGrant);
  t.is(await later.endpoints.me(body.access_token), 401);
});
