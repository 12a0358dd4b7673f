import { createHash, randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { isApiToken } from '#shared/tokens/api-token.ts';
import { startAdmin } from './run-admin.ts';

type Token = { tokenId: string; name: string; scopes: string[]; expiresAt: string | null; secret: string };

const email = ['--email', 'ada@example.com'];

async function startWithAccount(t: ExecutionContext) {
  const admin = await startAdmin(t);
  await admin.ask('account', 'create', ...email);
  const create = (name: string, scopes: string, ...more: string[]) =>
    admin.ask<Token>('token', 'create', ...email, '--name', name, '--scopes', scopes, ...more);
  return { ...admin, create };
}

test('a token is created with its secret, of which only the hash is stored', async (t) => {
  const admin = await startWithAccount(t);
  const token = await admin.create('backup', 'write,read', '--expires-at', '2099-01-01T01:00:00+01:00');
  t.deepEqual(Object.keys(token), ['tokenId', 'name', 'scopes', 'expiresAt', 'secret']);
  t.like(token, { name: 'backup', scopes: ['read', 'write'], expiresAt: '2099-01-01T00:00:00.000Z' });
  t.regex(token.secret, /^tms_[0-9A-Za-z]{43}$/);
  t.true(isApiToken(token.secret));
  const [row] = await admin.sql<{ token_hash: Buffer; last_four: string; row: string }>`
    select token_hash, last_four, to_json(api_token)::text as row from auth.api_token`;
  t.deepEqual(row?.token_hash, createHash('sha256').update(token.secret).digest());
  t.is(row?.last_four, token.secret.slice(-4));
  t.false(row?.row.includes(token.secret));
});

test('without an expiry a token never ends, and a repeated scope counts once', async (t) => {
  const admin = await startWithAccount(t);
  t.like(await admin.create('x', 'read,read,read'), { expiresAt: null, scopes: ['read'] });
});

test('tokens are listed oldest first, without secrets and without the revoked ones', async (t) => {
  const admin = await startWithAccount(t);
  t.deepEqual(await admin.ask('token', 'list', ...email), []);
  const shown = async (name: string) => {
    const { secret: _secret, ...token } = await admin.create(name, 'read');
    return token;
  };
  const [first, second, third] = [await shown('first'), await shown('second'), await shown('third')];
  t.deepEqual(await admin.ask('token', 'list', '--email', 'ADA@example.com'), [first, second, third]);
  t.deepEqual(await admin.ask('token', 'revoke', '--token-id', second.tokenId), second);
  t.deepEqual(await admin.ask('token', 'list', ...email), [first, third]);
});

test('revoking twice changes nothing', async (t) => {
  const admin = await startWithAccount(t);
  const { tokenId } = await admin.create('x', 'read');
  const revokedAt = () => admin.sql`select revoked_at from auth.api_token`;
  const answer = await admin.ask('token', 'revoke', '--token-id', tokenId);
  const before = await revokedAt();
  t.truthy(before[0]?.revoked_at);
  t.deepEqual(await admin.ask('token', 'revoke', '--token-id', tokenId.toUpperCase()), answer);
  t.deepEqual(await revokedAt(), before);
});

test('invalid values of a token are refused, and nothing is stored', async (t) => {
  const admin = await startWithAccount(t);
  const refused: [string, string, string[], string][] = [
    ['', 'read', [], '--name must not be blank'],
    [' \u00a0', 'read', [], '--name must not be blank'],
    ['x'.repeat(201), 'read', [], '--name must have at most 200 characters'],
    ['x', 'admin', [], '--scopes[0] must be one of read, write'],
    ['x', 'read write', [], '--scopes[0] must be one of read, write'],
    ['x', 'read', ['--expires-at', '2020-01-01T00:00:00Z'], '--expires-at must lie in the future'],
    [
      'x',
      'read',
      ['--expires-at', '2099-01-01'],
      '--expires-at must be an RFC 3339 date-time with an offset',
    ],
  ];
  for (const [name, scopes, more, message] of refused) {
    const args = ['token', 'create', ...email, '--name', name, '--scopes', scopes, ...more];
    t.is(await admin.fail(...args), message);
  }
  t.deepEqual(await admin.sql`select id from auth.api_token`, []);
});

test('unknown or malformed token ids are errors', async (t) => {
  const admin = await startWithAccount(t);
  for (const id of [randomUUID(), 'x', '']) {
    t.is(await admin.fail('token', 'revoke', '--token-id', id), 'there is no token with that id');
  }
});
