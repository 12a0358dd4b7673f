import { createHash } from 'node:crypto';
import test from 'ava';
import { decodeJwt } from 'jose';
import { createPkce, type Parameters } from './oauth-endpoints.ts';
import {
  addOwner,
  connectApp,
  obtainCode,
  refreshRequest,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';
import { whileLocked } from './while-locked.ts';

const world = await startOAuthWorld(undefined);
const clientId = await registerClient(world);
const otherClientId = await registerClient(world);
test.after.always(() => world.stack.close());
const { endpoints, stack } = world;

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

function hashOf(value: string | undefined): Buffer {
  return createHash('sha256')
    .update(value ?? '')
    .digest();
}

async function redeem(redemption: Parameters) {
  const { status, body } = await endpoints.token(redemption);
  if (status !== 200) throw new Error(`the redemption answers ${status} ${JSON.stringify(body)}`);
  const { access_token: accessToken, refresh_token: refreshToken } = body;
  const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
  return { accessToken, refresh };
}

test('reuse of a code revokes all that came of it (RFC 6749 §4.1.2, RFC 9700 §4.2.4)', async (t) => {
  const bystander = await connectApp(world, { clientId });
  const { redemption } = await obtainCode(world, { clientId });
  const first = await redeem(redemption);
  const refreshed = await endpoints.token(first.refresh);
  t.is(await endpoints.me(first.accessToken), 200);

  t.like(await endpoints.token(redemption), invalidGrant);
  t.is(await endpoints.me(first.accessToken), 401);
  t.is(await endpoints.me(refreshed.body.access_token), 401);
  t.like(await endpoints.token(first.refresh), invalidGrant);
  const child = { ...first.refresh, refresh_token: refreshed.body.refresh_token };
  t.like(await endpoints.token(child), invalidGrant);
  t.like(await endpoints.token(redemption), invalidGrant);

  t.is(await endpoints.me(bystander.tokens.access_token), 200);
  t.is((await endpoints.token(refreshRequest(bystander))).status, 200);
  const trail = await stack.sql`select event, actor from auth.audit_event
    where subject_id = ${decodeJwt(first.accessToken).grant_id} order by sequence`;
  t.deepEqual(trail, [
    { event: 'app_connected', actor: 'owner' },
    { event: 'app_token_reused', actor: 'app' },
  ]);
});

test('a code lasts 60 s; its later reuse, with its verifier, ends its grant (RFC 6749 §4.1.2)', async (t) => {
  const later = await startOAuthWorld(t, { now: new Date() });
  const [{ redemption }, inTime, late] = [
    await obtainCode(later),
    await obtainCode(later),
    await obtainCode(later),
  ];
  const { body } = await later.endpoints.token(redemption);
  later.stack.clock.advance(59_000);
  t.is((await later.endpoints.token(inTime.redemption)).status, 200);
  later.stack.clock.advance(1_000);
  t.like(await later.endpoints.token(late.redemption), invalidGrant);

  later.stack.clock.advance(60_000);
  const guessed = { ...redemption, code_verifier: 'x'.repeat(43) };
  t.like(await later.endpoints.token(guessed), invalidGrant);
  t.is(await later.endpoints.me(body.access_token), 200);
  t.like(await later.endpoints.token(redemption), invalidGrant);
  t.is(await later.endpoints.me(body.access_token), 401);
});

test('nobody can end a grant with a code they could not have redeemed (RFC 9700 §4.5)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId });
  const { accessToken, refresh } = await redeem(redemption);
  const replays: Parameters[] = [
    { code_verifier: createPkce().verifier },
    { code_verifier: undefined },
    { client_id: otherClientId },
    { client_id: 'app_unknown' },
    { redirect_uri: 'https://evil.example' },
    { resource: 'https://evil.example' },
  ];
  for (const changes of replays) t.not((await endpoints.token({ ...redemption, ...changes })).status, 200);
  t.is(await endpoints.me(accessToken), 200);
  t.is((await endpoints.token(refresh)).status, 200);
});

test('of redemptions of one code at once exactly one succeeds (RFC 9700 §4.5)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId });
  const statement = 'select 1 from auth.oauth_token where token_hash = $1 for update';
  const answers = await whileLocked(
    stack,
    { table: 'oauth_token', statement, values: [hashOf(redemption.code)], end: 'rollback' },
    () => Array.from({ length: 5 }, () => endpoints.token(redemption)),
  );
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);
});

test('a concurrent redemption is refused and does not revoke the grant (RFC 9700 §4.5)', async (t) => {
  const { owner, browser } = await addOwner(stack);
  const { redemption } = await obtainCode({ endpoints, browser }, { clientId });
  await stack.sql`update auth.oauth_token set consumed_at = clock_timestamp()
    where token_hash = ${hashOf(redemption.code)}`;
  t.like(await endpoints.token(redemption), invalidGrant);
  const grants = await stack.sql`select 1 from auth.oauth_grant where account_id = ${owner.accountId}`;
  t.is(grants.length, 1);
});

const failures: Record<string, [changes: Parameters, error: string, status?: number]> = {
  'of another client (RFC 6749 §4.1.3)': [{ client_id: otherClientId }, 'invalid_grant'],
  'of a client nobody knows (RFC 6749 §5.2)': [{ client_id: 'app_unknown' }, 'invalid_client', 401],
  'of no client (RFC 6749 §4.1.3)': [{ client_id: undefined }, 'invalid_request'],
  'for another redirect_uri (RFC 6749 §4.1.3)': [
    { redirect_uri: 'https://app.example.com/other' },
    'invalid_grant',
  ],
  'for the redirect_uri in other letters (RFC 6749 §4.1.3)': [
    { redirect_uri: 'https://app.example.com/callback/' },
    'invalid_grant',
  ],
  'without redirect_uri (RFC 6749 §4.1.3)': [{ redirect_uri: undefined }, 'invalid_request'],
  'for a resource that is not ours (RFC 8707 §2.2)': [{ resource: 'https://evil.example' }, 'invalid_target'],
  'for our resource and another one (RFC 8707 §2.2)': [
    { resource: [stack.baseUrl, 'https://evil.example'] },
    'invalid_target',
  ],
  'without the code (RFC 6749 §4.1.3)': [{ code: undefined }, 'invalid_request'],
  'with two verifiers (RFC 6749 §3.2)': [{ code_verifier: ['a', 'b'] }, 'invalid_request'],
};

for (const [what, [changes, error, status = 400]] of Object.entries(failures)) {
  test(`a redemption ${what} is refused and does not use the code up`, async (t) => {
    const { redemption } = await obtainCode(world, { clientId });
    t.like(await endpoints.token({ ...redemption, ...changes }), { status, body: { error } });
    t.is((await endpoints.token(redemption)).status, 200);
  });
}

test('a wrong verifier is refused and does not use the code up (RFC 7636 §4.6)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId });
  const verifier = String(redemption.code_verifier);
  const wrongVerifiers: [string | undefined, string][] = [
    [undefined, 'invalid_grant'],
    ['', 'invalid_grant'],
    [createPkce().verifier, 'invalid_grant'],
    [createHash('sha256').update(verifier).digest('base64url'), 'invalid_grant'],
    [`${verifier}A`, 'invalid_grant'],
    [verifier.slice(0, 42), 'invalid_request'],
    ['A'.repeat(129), 'invalid_request'],
    [`${verifier.slice(1)}é`, 'invalid_request'],
  ];
  for (const [codeVerifier, error] of wrongVerifiers) {
    const { status, body } = await endpoints.token({ ...redemption, code_verifier: codeVerifier });
    t.deepEqual([status, body.error], [400, error], codeVerifier);
  }
  t.is((await endpoints.token(redemption)).status, 200);
});
