import test from 'ava';
import { Redis } from 'ioredis';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { useEverySecret } from './every-secret.ts';
import { createPkce } from './oauth-endpoints.ts';
import { startOAuthWorld } from './oauth-flow.ts';

const world = await startOAuthWorld(undefined, { own: true });
const { endpoints, stack } = world;
const found = await useEverySecret(world);
const rows = await everyRow();
test.after.always(() => stack.close());

/** Every row of both schemas as text; bytes as what they spell, and as hexadecimal. */
async function everyRow(): Promise<string[]> {
  const tables = await stack.sql<{ name: string }>`select format('%I.%I', table_schema, table_name) as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema in ('auth', 'tasks', 'public')`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const query = `select row_to_json(t)::text as row, t::text as plain from ${name} t`;
    const contents = await stack.sql<{ row: string; plain: string }>([
      query,
    ] as unknown as TemplateStringsArray);
    for (const { row, plain } of contents) texts.push(`${name} ${row} ${plain} ${decodeBytes(row)}`);
  }
  return texts;
}

function decodeBytes(text: string): string {
  const bytes = text.match(/\\\\x((?:[0-9a-f]{2})+)/g) ?? [];
  return bytes.map((hex) => Buffer.from(hex.slice(3), 'hex').toString('latin1')).join(' ');
}

/** Its halves, which are no less worth hiding, as they are and as a store could have encoded them. */
function spellings(secret: string): string[] {
  return [secret.slice(0, 20), secret.slice(-20)].flatMap((part) => {
    const bytes = Buffer.from(part);
    return [part, encodeURIComponent(part), bytes.toString('hex'), bytes.toString('base64').slice(0, -4)];
  });
}

const secrets = Object.entries(found);

for (const [what, secret] of secrets) {
  test(`the database holds no ${what} (RFC 9700 §4.14.1, RFC 6819 §5.1.4.1.3)`, (t) => {
    t.true(secret.length >= 20);
    const holders = rows.filter((row) => spellings(secret).some((spelling) => row.includes(spelling)));
    t.deepEqual(holders, []);
  });
}

test('Redis holds none of them either', async (t) => {
  const redis = new Redis(stack.redisUrl);
  try {
    const keys = await redis.keys('*');
    const values = await Promise.all(
      keys.map(async (key) => `${key} ${(await redis.dumpBuffer(key))?.toString('latin1')}`),
    );
    t.true(keys.length > 0);
    for (const [what, secret] of secrets)
      t.false(
        values.some((value) => value.includes(secret)),
        what,
      );
  } finally {
    redis.disconnect();
  }
});

test('what the database does hold of a code or a token opens nothing (RFC 9700 §4.14.1)', async (t) => {
  const { sql } = stack;
  const stored = await sql<{ hash: Buffer }>`select token_hash as hash from auth.oauth_token`;
  const [client] = await sql<{ client_id: string }>`select client_id from auth.oauth_client limit 1`;
  t.true(stored.length >= 3);
  const values = stored.flatMap(({ hash }) => [
    hash.toString('base64url'),
    hash.toString('hex'),
    hash.toString('latin1'),
  ]);
  for (const value of values) {
    const request = { client_id: client?.client_id, redirect_uri: 'https://app.example.com/callback' };
    const { verifier } = createPkce();
    for (const parameters of [
      { grant_type: 'refresh_token', refresh_token: value },
      { grant_type: 'authorization_code', code: value, code_verifier: verifier },
    ]) {
      t.is((await endpoints.token({ ...request, ...parameters })).status, 400);
    }
  }
  const [session] = await sql<{ hash: Buffer }>`select secret_hash as hash from auth.browser_session limit 1`;
  const thief = createPageBrowser(stack.baseUrl);
  thief.cookies.set('tasks_session', session?.hash.toString('base64url') ?? '');
  t.is((await thief.get('/settings')).status, 303);
});
