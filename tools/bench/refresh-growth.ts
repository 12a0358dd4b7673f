import process from 'node:process';
import { connectSql } from '#tests/support/connect-sql.ts';
import { startTestServers } from '#tests/support/test-servers.ts';
import { estimateOf } from './estimate.ts';

/*
 * `npm run bench:refresh-growth`: does a refresh stay as fast with a million registered clients, grants and refresh
 * tokens? Two deployments over two databases of one server, one of them filled; blocks of refreshes alternate between
 * them, so that whatever else the machine does meets both.
 */
const million = 1_000_000;
const filledAccounts = 100_000;
const appsPerWorld = 8;
const refreshesPerBlock = 160;
const pairs = 30;

const fillStatements = [
  `insert into auth.account (id, email, email_folded, password_hash, plan, timezone, status, created_at, updated_at)
   select gen_random_uuid(), i || '@filled.example', i || '@filled.example', 'none', 'free', 'UTC', 'active', now(), now()
   from generate_series(1, ${filledAccounts}) i`,
  `insert into auth.oauth_client (client_id, metadata, created_at)
   select 'app_filled_' || i, sample.metadata, now()
   from generate_series(1, ${million}) i, (select metadata from auth.oauth_client limit 1) sample`,
  `insert into auth.oauth_grant (id, account_id, client_id, client_name, scopes, created_at, last_used_at, expires_at)
   select gen_random_uuid(), account.id, 'app_filled_' || i, 'Filled', '{read,write}', now(), now(), now() + interval '1 year'
   from generate_series(1, ${million}) i
   join (select id, row_number() over () as number from auth.account where password_hash = 'none') account
     on account.number = 1 + i % ${filledAccounts}`,
  `insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at)
   select sha256(id::text::bytea), 'refresh_token', id, sample.payload, now() + interval '30 days'
   from auth.oauth_grant, (select payload from auth.oauth_token where kind = 'refresh_token' limit 1) sample
   where client_name = 'Filled'`,
  'vacuum analyze auth.oauth_client, auth.oauth_grant, auth.oauth_token',
];

const servers = await startTestServers({ redisKind: 'auto', signal: new AbortController().signal });
try {
  Object.assign(process.env, servers.environment);
  await measure();
} finally {
  await servers.stop();
}

async function measure(): Promise<void> {
  // Only now: the support reads the servers' addresses from the environment.
  const { connectApp, refreshRequest, startOAuthWorld } = await import('#tests/oauth/oauth-flow.ts');
  type World = Awaited<ReturnType<typeof startOAuthWorld>>;
  type App = Awaited<ReturnType<typeof connectApp>>;

  const open = async () => {
    const world = await startOAuthWorld(undefined);
    const apps: App[] = [];
    for (let count = 0; count < appsPerWorld; count += 1) apps.push(await connectApp(world));
    return { world, apps };
  };
  const runBlock = async ({ world, apps }: { world: World; apps: App[] }): Promise<number> => {
    const startedAt = performance.now();
    await Promise.all(
      apps.map(async (app) => {
        for (let count = 0; count < refreshesPerBlock / appsPerWorld; count += 1) {
          const { status, body } = await world.endpoints.token(refreshRequest(app));
          if (status !== 200) throw new Error(`a refresh answers ${status}`);
          app.tokens = body;
        }
      }),
    );
    return (performance.now() - startedAt) / refreshesPerBlock;
  };

  const empty = await open();
  const full = await open();
  console.log(`Filling one database with ${million} clients, grants and refresh tokens.`);
  const connection = connectSql(full.world.stack.databaseUrl);
  for (const statement of fillStatements) await connection.run(statement);
  await connection.close();
  for (const world of [empty, full]) await runBlock(world);

  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const [first, second] = pair % 2 === 0 ? [empty, full] : [full, empty];
    const firstMilliseconds = await runBlock(first);
    const secondMilliseconds = await runBlock(second);
    const [emptyTime, fullTime] =
      pair % 2 === 0 ? [firstMilliseconds, secondMilliseconds] : [secondMilliseconds, firstMilliseconds];
    ratios.push(fullTime / emptyTime);
    console.log(`pair ${pair + 1}: ${emptyTime.toFixed(2)} ms empty, ${fullTime.toFixed(2)} ms full`);
  }
  const { median, low, high } = estimateOf([ratios]);
  const [shown, least, most] = [median, low, high].map((ratio) => ratio.toFixed(3));
  console.log(
    `A refresh with a million of each, against an empty database: ${shown} (95 %: ${least} to ${most})`,
  );
  for (const { world } of [empty, full]) await world.stack.close();
}
