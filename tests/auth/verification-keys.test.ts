import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import test, { type ExecutionContext } from 'ava';
import { openAuthDatabase } from '#auth-server/database/auth-orm.ts';
import { createKeyCipher } from '#auth-server/keys/signing-key.ts';
import { createSigningKeys } from '#auth-server/keys/signing-keys.ts';
import { signAccessToken } from '#auth-server/token-exchange/access-token-signer.ts';
import { createVerificationKeys } from '#resource-api/auth/verification-keys.ts';
import { openTasksDatabase } from '#resource-api/database/tasks-database.ts';
import { createCapturedLog } from '#tests/support/captured-log.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import type { TestToken } from '#tests/support/test-accounts.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const keyEncryptionSecret = 'the signing keys of a test are worth nothing';
const connection = { poolSize: 2, waitMilliseconds: 20_000 };

/** auth-server's keys, made in a database where no auth-server runs. */
async function makeKeys(t: ExecutionContext) {
  const databaseUrl = await freshDatabaseUrl(t);
  const { orm } = openAuthDatabase({ url: databaseUrl, applicationName: 'test', ...connection });
  t.teardown(() => orm.close(true));
  const keys = createSigningKeys({
    em: orm.em,
    cipher: createKeyCipher(keyEncryptionSecret),
    logger: createCapturedLog().loggerFor('test'),
    tokenLifetimeSeconds: 600,
  });
  await keys.reload();
  return { databaseUrl, keys };
}

type Keys = Awaited<ReturnType<typeof makeKeys>>['keys'];

function sign({ baseUrl }: Stack, keys: Keys, { accountId, tokenId }: TestToken): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1_000);
  return signAccessToken(
    { config: { baseUrl }, signingKeys: keys },
    { accountId, clientId: 'personal-token', grantId: tokenId, scopes: ['read'], credentialVersion: 1 },
    { issuedAt, expiresAt: issuedAt + 600 },
  );
}

test('the API starts without auth-server and accepts what it once signed', async (t) => {
  const { databaseUrl, keys } = await makeKeys(t);
  const stack = await startStack(t, { databaseUrl });
  const { token } = await stack.newClient();
  t.is((await stack.client(await sign(stack, keys, token)).get('/me')).status, 200);
});

test('tokens are accepted as soon as the database is back, without the keys being read again', async (t) => {
  const { databaseUrl, keys } = await makeKeys(t);
  const stack = await startStack(t, { databaseUrl });
  const { token } = await stack.newClient();
  const known = stack.client(await sign(stack, keys, token));
  t.is((await known.get('/me')).status, 200);

  const server = connectSql(new URL('/postgres', databaseUrl).href);
  t.teardown(server.close);
  const database = new URL(databaseUrl).pathname.slice(1);
  await server.run(`alter database ${database} with allow_connections false`);
  await server.run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`);
  t.true((await known.get('/me')).status >= 500, 'the failure is not the token’s');
  await server.run(`alter database ${database} with allow_connections true`);
  await stack.sql`delete from auth.signing_key`;
  // The pool finds out one by one which of its connections are gone.
  t.true(await waitFor(async () => (await known.get('/me')).status === 200));
  const fresh = stack.client(await sign(stack, keys, token));
  t.is((await fresh.get('/me')).status, 200);
});

// By itself: it moves the clock by which others wait.
test.serial('keys are read again after a minute; while they can’t be, the known ones stay', async (t) => {
  const { databaseUrl, keys } = await makeKeys(t);
  const { keyId } = await keys.current();
  const database = openTasksDatabase({ url: databaseUrl, ...connection });
  const { sql, run, close } = connectSql(databaseUrl);
  t.teardown(async () => {
    await database.close();
    await close();
  });
  const log = createCapturedLog();
  const known = createVerificationKeys(database, log.loggerFor('test'));
  t.truthy(await known.find(keyId));
  t.is(await known.find(randomUUID()), undefined);

  const now = performance.now.bind(performance);
  let aheadMilliseconds = 0;
  const clock = mock.method(performance, 'now', () => now() + aheadMilliseconds);
  t.teardown(() => clock.mock.restore());

  await run('revoke select on auth.signing_key_public from resource_api');
  aheadMilliseconds += 61_000;
  const isWarned = async () => (await known.find(keyId)) !== undefined && log.lines.length > 0;
  t.true(await waitFor(isWarned, { what: 'a warning, with the key still there' }));
  t.truthy(await known.find(keyId));

  await run('grant select on auth.signing_key_public to resource_api');
  await sql`delete from auth.signing_key where key_id = ${keyId}`;
  aheadMilliseconds += 61_000;
  t.true(await waitFor(async () => (await known.find(keyId)) === undefined, { what: 'the key to be gone' }));
});
