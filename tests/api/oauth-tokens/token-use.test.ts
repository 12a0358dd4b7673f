import test from 'ava';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createTokenIssuer } from './token-issuer.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, { now: '2026-11-16T12:00:00Z' });
const issuer = await createTokenIssuer(stack);
test.after.always(() => stack.close());

type Use = { token_id: string; last_used_at: string };

/** What auth-server shows of the account. */
async function usesOf({ sql }: Stack, accountId: string): Promise<Map<string, string>> {
  const rows = await sql<Use>`select token_id, last_used_at from tasks.token_last_use
    where account_id = ${accountId}`;
  return new Map(rows.map((row) => [row.token_id, new Date(row.last_used_at).toISOString()]));
}

function waitForUse(own: Stack, accountId: string, tokenId: string): Promise<string> {
  const what = 'the use to be recorded';
  return waitFor(async () => (await usesOf(own, accountId)).get(tokenId), { what });
}

test('the last use of a personal token and of a connected app is on record', async (t) => {
  const { account, token, get } = await stack.newClient();
  const { accountId } = account;
  const unused = await stack.createToken(account);
  const app = await issuer.connectApp(account);
  await get('/me');
  await stack.client(await issuer.issue(app)).post('/tasks', { title: 'x' });
  t.is(await waitForUse(stack, accountId, token.tokenId), '2026-11-16T12:00:00.000Z');
  t.is(await waitForUse(stack, accountId, app.grantId), '2026-11-16T12:00:00.000Z');
  t.false((await usesOf(stack, accountId)).has(unused.tokenId));
});

test('a refused request counts as a use; one without a valid token does not', async (t) => {
  const account = await stack.createAccount();
  const [reader, expired] = [
    await stack.createToken(account, { scopes: ['read'] }),
    await stack.createToken(account, { expiresAt: new Date('2026-11-16T11:59:59Z') }),
  ];
  t.is((await stack.client(expired).get('/me')).status, 401);
  t.is((await stack.client(reader).post('/tasks', { title: 'x' })).status, 403);
  await waitForUse(stack, account.accountId, reader.tokenId);
  t.deepEqual([...(await usesOf(stack, account.accountId)).keys()], [reader.tokenId]);
});

test('what is left to record is recorded when the service ends', async (t) => {
  const own = await startStack(undefined, { now: '2026-11-16T12:00:00Z' });
  const url = own.databaseUrl;
  const other = await startStack(t, { databaseUrl: url, now: '2026-11-16T12:00:00Z' });
  t.teardown(own.close);
  const { account, token } = await other.newClient();
  await other.client(token).get('/me');
  await other.close();
  t.true((await usesOf(own, account.accountId)).has(token.tokenId));
});

test('an earlier use never replaces a later one', async (t) => {
  const { account, token, get } = await stack.newClient();
  await stack.sql`insert into tasks.token_use (account_id, token_id, last_used_at)
    values (${account.accountId}, ${token.tokenId}, '2026-11-16T12:30:00Z')`;
  const marker = await stack.createToken(account);
  await get('/me');
  await stack.client(marker).get('/me');
  await waitForUse(stack, account.accountId, marker.tokenId);
  t.is((await usesOf(stack, account.accountId)).get(token.tokenId), '2026-11-16T12:30:00.000Z');
});

test('the record of a deleted app is deleted, those of revoked tokens and other apps are not', async (t) => {
  const [{ account, token }, other] = [await stack.newClient(), await stack.newClient()];
  const [app, otherApp] = [await issuer.connectApp(account), await issuer.connectApp(other.account)];
  await stack.client(await issuer.issue(app)).get('/me');
  await stack.client(await issuer.issue(otherApp)).get('/me');
  await stack.client(token).get('/me');
  await waitForUse(stack, account.accountId, token.tokenId);
  await waitForUse(stack, other.account.accountId, otherApp.grantId);
  await issuer.disconnect(app);
  await issuer.disconnect(otherApp);
  await stack.revokeToken(token);

  const next = await stack.createToken(account);
  await stack.client(next).get('/me');
  await waitForUse(stack, account.accountId, next.tokenId);
  const left = await usesOf(stack, account.accountId);
  t.deepEqual([...left.keys()].toSorted(), [token.tokenId, next.tokenId].toSorted());
  t.true((await usesOf(stack, other.account.accountId)).has(otherApp.grantId));
});

test('requests are served when uses can’t be recorded, and the log says so once', async (t) => {
  const own = await startStack(t, { own: true });
  await own.sql`revoke insert on tasks.token_use from resource_api`;
  const failures = () => own.log.filter(({ msg }) => msg === 'the last use of tokens could not be recorded');
  for (let turn = 0; turn < 3; turn += 1) t.is((await (await own.newClient()).get('/me')).status, 200);
  await waitFor(() => failures().length > 0, { what: 'the failure to be logged' });
  await own.sql`grant insert on tasks.token_use to resource_api`;
  const { account, token, get } = await own.newClient();
  t.is((await get('/me')).status, 200);
  await waitForUse(own, account.accountId, token.tokenId);
  t.is(failures().length, 1);
});
