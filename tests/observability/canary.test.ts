import test, { type ExecutionContext } from 'ava';
import { addOwner, type OwnOAuthWorld, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { behindProxy } from '#tests/support/behind-proxy.ts';
import { connectSql, type SqlConnection } from '#tests/support/connect-sql.ts';
import type { FaultProxy } from '#tests/support/fault-proxy.ts';
import { startStack } from '#tests/support/stack.ts';
import { type Canaries, createWords, sendEverything, useOAuth } from './canary-flow.ts';
import { type SpanCollector, startSpanCollector } from './span-collector.ts';

type Broken = {
  world: OwnOAuthWorld;
  direct: SqlConnection;
  database: FaultProxy;
  redis: FaultProxy;
  collector: SpanCollector;
};

/** Both services behind stores that can be taken away, everything logged and traced. */
async function startBreakable(t: ExecutionContext): Promise<Broken> {
  const stores = await startStack(t, { own: true });
  const collector = await startSpanCollector();
  t.teardown(collector.close);
  const { proxy: database, url: databaseUrl } = await behindProxy(t, stores.databaseUrl);
  const { proxy: redis, url: redisUrl } = await behindProxy(t, stores.redisUrl);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const world = await startOAuthWorld(t, { databaseUrl, redisUrl, environment });
  const direct = connectSql(stores.databaseUrl);
  t.teardown(direct.close);
  return { world, direct, database, redis, collector };
}

/** In a row that can't be stored, PostgreSQL quotes what it was given: in the message here, in the detail always. */
const refuseRows = `
  create function tasks.refuse() returns trigger language plpgsql as $$
  begin raise exception 'not a title: "%"', new.title using errcode = '22023', detail = new.description; end $$;
  create trigger refuse before insert on tasks.task for each row execute function tasks.refuse()`;

test('no secret and no user data is in logs, metrics, traces or error bodies', async (t) => {
  const { world, direct, database, redis, collector } = await startBreakable(t);
  const { stack } = world;
  const words = createWords();
  const client = await stack.newClient();
  const secrets = await useOAuth(world, words);
  const errorBodies = await sendEverything(world, client, words);

  await direct.run(refuseRows);
  errorBodies.push(...(await sendEverything(world, client, words)));
  await direct.run('drop trigger refuse on tasks.task; alter table tasks.task rename column title to gone');
  errorBodies.push(...(await sendEverything(world, client, words)));
  await direct.run('alter table tasks.task rename column gone to title');
  redis.setMode('refuse');
  errorBodies.push(...(await sendEverything(world, client, words)));
  await addOwner(stack);
  database.setMode('refuse');
  errorBodies.push(...(await sendEverything(world, client, words)));
  const metrics = [await stack.metrics('resource-api'), await stack.metrics('auth-server')];
  await stack.close();

  // Else the test would see nothing.
  const statuses = new Set(errorBodies.map((line) => line.split(' ')[1]));
  for (const status of ['400', '401', '404', '409', '500', '503'])
    t.true(statuses.has(status), `${status} among ${[...statuses]}`);
  t.true(collector.spans.length > 50);
  const places = {
    logs: JSON.stringify(stack.log),
    metrics: metrics.join('\n'),
    spans: collector.texts.join('\n'),
    'error bodies': errorBodies.join('\n'),
  };
  const canaries = { ...words, ...secrets, 'personal token': client.token.secret };
  for (const [place, text] of Object.entries(places)) t.deepEqual(canariesIn(text, canaries), [], place);
});

/** Long enough to be unique: what a place may cut, quote or encode stays one of these parts. */
const partLength = 16;

function canariesIn(text: string, canaries: Canaries): string[] {
  return Object.entries(canaries)
    .filter(([, canary]) => partsOf(canary).some((part) => text.includes(part)))
    .map(([what]) => what);
}

function partsOf(canary: string): string[] {
  const parts = canary.split(/[^\w-]+/).filter((part) => part.length >= partLength);
  return parts.length > 0 ? parts : [canary];
}
