import test from 'ava';
import { SignJWT } from 'jose';
import type { Parameters } from './oauth-endpoints.ts';
import {
  type ConnectedApp,
  connectApp,
  refreshRequest,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
const clientId = await registerClient(world);
const otherClientId = await registerClient(world);
test.after.always(() => world.stack.close());
const { endpoints, stack } = world;

const connect = () => connectApp(world, { clientId });
const revoke = (token: string, changes: Parameters = {}) =>
  endpoints.revoke({ token, client_id: clientId, ...changes });

async function lifeOf(app: ConnectedApp): Promise<{ access: number; refresh: number }> {
  const access = await endpoints.me(app.tokens.access_token);
  return { access, refresh: (await endpoints.token(refreshRequest(app))).status };
}

const alive = { access: 200, refresh: 200 };
const dead = { access: 401, refresh: 400 };
const silent = { status: 200, body: '' };

test('a refresh token that was used before ends the grant when it is revoked (RFC 7009 §2.1)', async (t) => {
  const app = await connect();
  const { body } = await endpoints.token(refreshRequest(app));
  t.like(await revoke(app.tokens.refresh_token), silent);
  t.is(await endpoints.me(body.access_token), 401);
  t.is((await endpoints.token(refreshRequest(app, body.refresh_token))).status, 400);
});

for (const hint of ['access_token', 'refresh_token', 'pat', '', 'constructor']) {
  test(`a hint is no more than a hint: ${JSON.stringify(hint)} (RFC 7009 §2.1)`, async (t) => {
    const app = await connect();
    t.like(await revoke(app.tokens.access_token, { token_type_hint: hint }), silent);
    t.deepEqual(await lifeOf(app), { access: 401, refresh: 200 });
    const other = await connect();
    t.like(await revoke(other.tokens.refresh_token, { token_type_hint: hint }), silent);
    t.deepEqual(await lifeOf(other), dead);
  });
}

test('another client’s tokens are neither revoked nor revealed (RFC 7009 §2.1, §2.2)', async (t) => {
  const app = await connect();
  for (const token of [app.tokens.access_token, app.tokens.refresh_token]) {
    t.like(await revoke(token, { client_id: otherClientId }), silent);
  }
  t.deepEqual(await lifeOf(app), alive);
});

test('what is no token, or none any more, is revoked already (RFC 7009 §2.2)', async (t) => {
  const app = await connect();
  const [header, payload] = app.tokens.access_token.split('.');
  const key = new TextEncoder().encode('a secret of thirty-two characters');
  const forged = await new SignJWT({ client_id: clientId }).setProtectedHeader({ alg: 'HS256' }).sign(key);
  await revoke(app.tokens.refresh_token);
  const tokens = [
    app.tokens.refresh_token,
    app.tokens.access_token,
    'unknown',
    ' ',
    'a.b.c',
    '...',
    `${header}.${payload}.`,
    forged,
    'é😀',
    "' or true --",
    'x'.repeat(15_000),
    (await stack.newClient()).token.secret,
  ];
  for (const token of tokens) {
    const answer = await revoke(token);
    t.like(answer, silent, token.slice(0, 50));
    t.is(answer.headers.get('cache-control'), 'no-store');
  }
});

test('a personal token is not OAuth’s to revoke (RFC 7009 §2.1)', async (t) => {
  const client = await stack.newClient();
  t.like(await revoke(client.token.secret), silent);
  t.is((await client.get('/me')).status, 200);
});

test('no client can revoke a token exchanged for a personal one (RFC 7009 §2.1)', async (t) => {
  const { token } = await stack.newClient();
  const { body } = await stack.anonymous.post<{ accessToken: string }>('/auth/token', {
    subjectToken: token.secret,
  });
  for (const id of [clientId, 'personal-token']) await revoke(body.accessToken, { client_id: id });
  t.is(await endpoints.me(body.accessToken), 200);
});

const malformed: Record<string, [parameters: Parameters, error: string]> = {
  'without a token': [{ client_id: clientId }, 'invalid_request'],
  'with an empty token': [{ client_id: clientId, token: '' }, 'invalid_request'],
  'with two tokens': [{ client_id: clientId, token: ['a', 'b'] }, 'invalid_request'],
  'without a client': [{ token: 'x' }, 'invalid_request'],
  'with an empty client': [{ token: 'x', client_id: '' }, 'invalid_request'],
  'with two clients': [{ token: 'x', client_id: [clientId, otherClientId] }, 'invalid_request'],
  'of a client nobody knows': [{ token: 'x', client_id: 'app_unknown' }, 'invalid_client'],
  'of an account instead of a client': [{ token: 'x', client_id: world.owner.accountId }, 'invalid_client'],
};

for (const [what, [parameters, error]] of Object.entries(malformed)) {
  test(`a revocation ${what} is refused as ${error} (RFC 7009 §2.2.1)`, async (t) => {
    const { status, headers, body } = await endpoints.revoke(parameters, { accept: 'text/html' });
    t.is(status, 400);
    t.regex(headers.get('content-type') ?? '', /^application\/json/);
    t.is(JSON.parse(body).error, error);
  });
}

test('revoking one token 20 times at once is one revocation (RFC 7009 §2.2)', async (t) => {
  const app = await connect();
  const { access_token: access, refresh_token: refresh } = app.tokens;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => revoke(index % 2 === 0 ? access : refresh)),
  );
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.deepEqual(await lifeOf(app), dead);
  const events = await stack.sql`select event from auth.audit_event
    where subject_id = ${app.grantId} and event = 'app_disconnected'`;
  t.is(events.length, 1);
});
