import { createPrivateKey } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { replaceSigningKeys, rotateSigningKeys } from '#auth-server/admin/key-admin.ts';
import { createApp } from '#auth-server/app.ts';
import { type Config, readConfig } from '#auth-server/config/config.ts';
import { createContext } from '#auth-server/context.ts';
import { createKeyCipher, decryptPrivateKey, KeySecretError } from '#auth-server/keys/signing-key.ts';
import { type ApiClient, createApiClient } from '#tests/support/api-client.ts';
import { createCapturedLog, waitForRedis } from '#tests/support/captured-log.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { openInProcessServer } from '#tests/support/in-process-server.ts';
import { leaseRedisDatabase } from '#tests/support/redis-lease.ts';
import { unlimited } from '#tests/support/service-settings.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const path = '/api/public/v1/auth/token';
const keyEncryptionSecret = 'the signing keys of a test are worth nothing';

type AuthReplicas = Awaited<ReturnType<typeof startAuthReplicas>>;

/** auth-server alone, any number of times, over one database and one Redis of their own. */
async function startAuthReplicas(t: ExecutionContext, config: Partial<Config> = {}) {
  const databaseUrl = await freshDatabaseUrl(t);
  const redis = await leaseRedisDatabase();
  t.teardown(redis.release);
  const { sql, close } = connectSql(databaseUrl);
  t.teardown(close);
  const clock = createTestClock();
  const log = createCapturedLog();
  const env = {
    BASE_URL: 'https://tasks.example.com',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    KEY_ENCRYPTION_SECRET: keyEncryptionSecret,
    PORT: '1',
    MANAGEMENT_PORT: '1',
    // The first request reads the keys, while the other tests of the file start replicas of their own.
    DATABASE_WAIT_MILLISECONDS: '30000',
  };
  const addReplica = async (changes: Partial<Config> = {}): Promise<ApiClient> => {
    const config = { ...readConfig(env), ...unlimited, ...changes };
    const context = await createContext(config, { clock, logger: log.loggerFor('auth-server') });
    t.teardown(() => context.close());
    await waitForRedis(log, 'auth-server');
    const server = await openInProcessServer();
    t.teardown(() => server.close());
    server.serve(createApp(context));
    return createApiClient({ root: `http://127.0.0.1:${server.port}`, check: () => undefined });
  };
  const first = await addReplica(config);
  return { ...createTestAccounts(sql), first, databaseUrl, sql, log: log.lines, addReplica };
}

async function publishedBy(replica: ApiClient): Promise<JSONWebKeySet> {
  const { status, body } = await replica.get<JSONWebKeySet>('/oauth/jwks');
  if (status !== 200) throw new Error(`the keys were answered with ${status}: ${JSON.stringify(body)}`);
  return body;
}

async function keyIdsOf(replica: ApiClient): Promise<(string | undefined)[]> {
  return (await publishedBy(replica)).keys.map(({ kid }) => kid);
}

async function exchangeAt(replica: ApiClient, subjectToken: string): Promise<string> {
  const { status, body } = await replica.post(path, { subjectToken });
  if (status !== 200) throw new Error(`the exchange was answered with ${status}`);
  return String(body.accessToken);
}

function states({ sql }: AuthReplicas) {
  return sql<{
    key_id: string;
    state: string;
  }>`select key_id, state from auth.signing_key order by created_at, state`;
}

test('replicas that start at once make one current and one next key between them', async (t) => {
  const auth = await startAuthReplicas(t);
  const others = await Promise.all(Array.from({ length: 4 }, () => auth.addReplica()));
  const published = await Promise.all([auth.first, ...others].map(keyIdsOf));
  for (const keyIds of published) t.deepEqual(keyIds, published[0]);
  const keys = await auth.sql<{ state: string }>`select state from auth.signing_key order by state`;
  t.deepEqual(keys, [{ state: 'current' }, { state: 'next' }]);
});

test('a rotation promotes the published next key, and the retired one loses its private part', async (t) => {
  const auth = await startAuthReplicas(t);
  await keyIdsOf(auth.first);
  const before = await states(auth);
  const rotation = await rotateSigningKeys(auth.databaseUrl, keyEncryptionSecret, true);
  t.is(before.find(({ state }) => state === 'next')?.key_id, rotation.currentKeyId);
  t.is(before.find(({ state }) => state === 'current')?.key_id, rotation.retiredKeyId);
  const [retired] = await auth.sql`
    select state, private_key_encrypted from auth.signing_key where key_id = ${rotation.retiredKeyId}`;
  t.deepEqual(retired, { state: 'retired', private_key_encrypted: null });
});

test('parallel rotations take turns', async (t) => {
  const auth = await startAuthReplicas(t);
  await keyIdsOf(auth.first);
  const rotate = () => rotateSigningKeys(auth.databaseUrl, keyEncryptionSecret, true);
  await Promise.all([rotate(), rotate(), rotate()]);
  const found = (await states(auth)).map(({ state }) => state).sort();
  t.deepEqual(found, ['current', 'next', 'retired', 'retired', 'retired']);
});

test('keys can be replaced without the lost secret, and what they signed stays valid', async (t) => {
  const auth = await startAuthReplicas(t);
  const { first } = auth;
  const { secret } = await auth.createToken(await auth.createAccount());
  const tokens = [await exchangeAt(first, secret)];
  const keyIds = await keyIdsOf(first);
  const otherSecret = 'another secret than the one that was lost';
  const { currentKeyId, retiredKeyIds } = await replaceSigningKeys(auth.databaseUrl, otherSecret);
  t.deepEqual(retiredKeyIds.toSorted(), keyIds.toSorted());

  const other = await auth.addReplica({ keyEncryptionSecret: otherSecret });
  tokens.push(await exchangeAt(other, secret), await exchangeAt(first, secret));
  const [before, , meanwhile] = tokens.map((token) => decodeProtectedHeader(token).kid);
  t.is(meanwhile, before, 'a replica that can’t open the new keys goes on with those it knows');
  t.is(decodeProtectedHeader(String(tokens[1])).kid, currentKeyId);
  const published = createLocalJWKSet(await publishedBy(other));
  for (const token of tokens) await t.notThrowsAsync(jwtVerify(token, published));
  const privateParts = await auth.sql`select from auth.signing_key
    where state = 'retired' and private_key_encrypted is not null`;
  t.deepEqual(privateParts, []);
});

test('a retired key is published until the last token it signed has expired, then hidden', async (t) => {
  const auth = await startAuthReplicas(t, { accessTokenTtlSeconds: 300 });
  await keyIdsOf(auth.first);
  const longest = await auth.addReplica({ accessTokenTtlSeconds: 900 });
  await keyIdsOf(longest);
  const { retiredKeyId } = await rotateSigningKeys(auth.databaseUrl, keyEncryptionSecret, true);
  const isPublishedAfter = async (seconds: number) => {
    await auth.sql`update auth.signing_key set retired_at = now() - make_interval(secs => ${seconds})
      where key_id = ${retiredKeyId}`;
    return (await keyIdsOf(await auth.addReplica())).includes(retiredKeyId);
  };
  t.true(await isPublishedAfter(901));
  t.false(await isPublishedAfter(1_000));
});

test('private parts can’t be read from the database', async (t) => {
  const auth = await startAuthReplicas(t);
  await keyIdsOf(auth.first);
  const cipher = createKeyCipher(keyEncryptionSecret);
  const rows = await auth.sql<{ key_id: string; private_key_encrypted: Buffer; row: string }>`
    select key_id, private_key_encrypted, to_json(signing_key)::text as row from auth.signing_key`;
  t.is(rows.length, 2);
  for (const { key_id: keyId, private_key_encrypted: sealed, row } of rows) {
    const { d = '' } = decryptPrivateKey(cipher, keyId, sealed).export({ format: 'jwk' });
    t.is(Buffer.from(d, 'base64url').length, 32);
    t.false(sealed.includes(Buffer.from(d, 'base64url')));
    t.false(row.includes(d) || row.includes(Buffer.from(d, 'base64url').toString('hex')));
    t.throws(() => createPrivateKey({ key: sealed, format: 'der', type: 'pkcs8' }));
    t.throws(() => createKeyCipher(`${keyEncryptionSecret}!`).decrypt(keyId, sealed), {
      instanceOf: KeySecretError,
    });
    t.throws(() => cipher.decrypt('another key', sealed), { instanceOf: KeySecretError });
  }
});

test('the same key is sealed differently each time', (t) => {
  const cipher = createKeyCipher(keyEncryptionSecret);
  const seal = () => cipher.encrypt('key', Buffer.from('private')).toString('hex');
  t.not(seal(), seal());
});

test('with another secret a replica signs nothing and a rotation changes nothing', async (t) => {
  const auth = await startAuthReplicas(t);
  await keyIdsOf(auth.first);
  const { secret } = await auth.createToken(await auth.createAccount());
  const before = await states(auth);
  const anotherSecret = 'not the secret that the keys were encrypted with';
  const stranger = await auth.addReplica({ keyEncryptionSecret: anotherSecret });
  t.is((await stranger.post(path, { subjectToken: secret })).status, 500);
  await t.throwsAsync(rotateSigningKeys(auth.databaseUrl, anotherSecret, true), {
    instanceOf: KeySecretError,
  });
  t.deepEqual(await states(auth), before);
});

test('known keys are served while the database is away', async (t) => {
  const auth = await startAuthReplicas(t);
  const before = await keyIdsOf(auth.first);
  const database = new URL(auth.databaseUrl).pathname.slice(1);
  const postgres = new URL(auth.databaseUrl);
  postgres.pathname = '/postgres';
  const server = connectSql(postgres.href);
  t.teardown(server.close);
  await server.run(`alter database ${database} with allow_connections false`);
  await server.run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`);
  const isNoticed = async () => {
    t.deepEqual(await keyIdsOf(auth.first), before);
    return auth.log.some(({ msg }) => msg === 'the signing keys could not be read again');
  };
  t.true(await waitFor(isNoticed, { timeoutMilliseconds: 15_000 }));
});
