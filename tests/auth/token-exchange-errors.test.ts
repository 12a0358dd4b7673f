import test from 'ava';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import type { Problem } from '#tests/support/api-types.ts';
import { baseUrl, startAuthReplicas } from './auth-replicas.ts';

const path = '/api/public/v1/auth/token';
const auth = await startAuthReplicas(test);
let subjectToken = '';

test.before(async () => {
  const token = await auth.createToken(await auth.createAccount(), { scopes: ['read'] });
  subjectToken = token.secret;
});

/** Title, body, fields that are named in `errors`. */
const malformed: [string, () => unknown, string[]][] = [
  ['no body', () => undefined, ['body']],
  ['an empty object', () => ({}), ['subjectToken']],
  ['a text', () => '"tms_"', ['body']],
  ['malformed JSON', () => '{"subjectToken":', ['body']],
  ['a null subject token', () => ({ subjectToken: null }), ['subjectToken']],
  [
    'two unknown fields',
    () => ({ subjectToken, actorToken: 'x', resource: 'y' }),
    ['actorToken', 'resource'],
  ],
  ['snake case', () => ({ subject_token: subjectToken }), ['subjectToken', 'subject_token']],
  ['another grant type', () => ({ subjectToken, grantType: 'refresh_token' }), ['grantType']],
  [
    'another subject token type',
    () => ({ subjectToken, subjectTokenType: 'urn:ietf:params:oauth:token-type:jwt' }),
    ['subjectTokenType'],
  ],
  ['an unknown scope', () => ({ subjectToken, scope: 'read admin' }), ['scope']],
  ['a wider scope', () => ({ subjectToken, scope: 'read write' }), ['scope']],
  ['an empty scope', () => ({ subjectToken, scope: '' }), ['scope']],
  ['a scope with two blanks', () => ({ subjectToken, scope: 'read  read' }), ['scope']],
  ['a list as scope', () => ({ subjectToken, scope: ['read'] }), ['scope']],
  ['a lone surrogate', () => `{"subjectToken":"\\ud800"}`, ['subjectToken']],
];

test('a malformed request is a validation error that names each field', async (t) => {
  for (const [title, makeBody, fields] of malformed) {
    const { status, headers, body } = await auth.client.post<Problem>(path, makeBody());
    t.is(status, 400, title);
    t.like(body, { errorType: 'validation', errorCode: 'validation_error' }, title);
    t.deepEqual(Object.keys(body.errors ?? {}).sort(), fields.toSorted(), title);
    t.is(headers.get('x-request-id'), body.requestId);
  }
});

test('messages say what is accepted and never repeat what was sent', async (t) => {
  const sent = { subjectToken, scope: 'secret-word', grantType: 'another-word' };
  const { body } = await auth.client.post<Problem>(path, sent);
  t.deepEqual(body.errors, {
    scope: ['scope must be one or more of read, write, separated by single spaces'],
    grantType: ['grantType must be one of urn:ietf:params:oauth:grant-type:token-exchange'],
  });
});

const invalidGrants: [string, () => Promise<string>][] = [
  ['an unknown token', async () => mintApiToken()],
  [
    'a token with a wrong checksum',
    async () => subjectToken.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ],
  ['a token with a blank after it', async () => `${subjectToken} `],
  ['garbage', async () => 'garbage'],
  ['a very long text', async () => 'x'.repeat(1_000_000)],
  ['a revoked token', revokedToken],
  ['an expired token', expiredToken],
  ['an access token', accessToken],
];

test('what is no live personal token is an invalid grant', async (t) => {
  for (const [title, make] of invalidGrants) {
    const { status, headers, body } = await auth.client.post<Problem>(path, { subjectToken: await make() });
    t.is(status, 400, title);
    t.like(body, { errorType: 'authentication', errorCode: 'invalid_grant', errors: undefined }, title);
    t.is(headers.get('www-authenticate'), null);
  }
});

async function revokedToken(): Promise<string> {
  const token = await auth.createToken(await auth.createAccount());
  await auth.revokeToken(token);
  return token.secret;
}

async function expiredToken(): Promise<string> {
  const expiresAt = new Date(Date.now() - 1);
  return (await auth.createToken(await auth.createAccount(), { expiresAt })).secret;
}

async function accessToken(): Promise<string> {
  const { body } = await auth.client.post(path, { subjectToken });
  return String(body.accessToken);
}

test('a token in the query is refused before the body is read, as everywhere in the API', async (t) => {
  for (const query of ['access_token=x', 'token=', 'x=1&api%5Fkey=y', `token=${subjectToken}`]) {
    for (const body of [{ subjectToken }, undefined]) {
      const response = await auth.client.post<Problem>(`${path}?${query}`, body);
      t.is(response.status, 401, query);
      t.is(response.body.errorCode, 'token_invalid');
      t.is(response.body.message, 'A token in the query string is refused; send it as a bearer header.');
      const metadata = `${baseUrl}/.well-known/oauth-protected-resource`;
      t.is(
        response.headers.get('www-authenticate'),
        `Bearer resource_metadata="${metadata}", scope="read write", error="invalid_token"`,
      );
    }
  }
  t.is((await auth.client.post(`${path}?tokens=1&Token=2`, { subjectToken })).status, 200);
});

test('a body of another media type is refused with 415, one beyond 2 MiB with 413', async (t) => {
  const body = JSON.stringify({ subjectToken });
  for (const contentType of ['application/x-www-form-urlencoded', 'text/plain', '']) {
    const headers = { 'Content-Type': contentType };
    const response = await auth.client.post<Problem>(path, body, { headers });
    t.like(response, { status: 415, body: { errorCode: 'unsupported_media_type' } }, contentType);
  }
  const huge = await auth.client.post<Problem>(path, { subjectToken: 'x'.repeat(2 * 1024 * 1024) });
  t.like(huge, { status: 413, body: { errorCode: 'body_too_large' } });
});

test('while the database is away the answer is 503 with Retry-After', async (t) => {
  const { client } = await auth.addReplica({ databaseUrl: 'postgres://nobody@127.0.0.1:9/none' });
  const response = await client.post<Problem>(path, { subjectToken });
  t.is(response.status, 503);
  t.is(response.body.errorCode, 'service_unavailable');
  t.regex(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
});
