import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { assistantPath } from '#shared/http/protected-resource-urls.ts';
import { useEverySecret } from '#tests/oauth/every-secret.ts';
import { addOwner, type OAuthWorld, type OwnOAuthWorld, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { openProxiedDatabase, openProxiedRedis } from '#tests/stores/store-proxies.ts';
import { connectSql, type SqlConnection } from '#tests/support/connect-sql.ts';
import type { FaultProxy } from '#tests/support/fault-proxy.ts';
import type { AccountClient } from '#tests/support/stack.ts';
import { type SpanCollector, startSpanCollector } from './span-collector.ts';

/** Secrets and users' words by what they are. */
type Canaries = Record<string, string>;

const unique = (): string => randomBytes(12).toString('hex');

/** Words with what has confused a log before: quotes, hyphens between blanks, line breaks. */
function createWords(): Canaries {
  return {
    title: `canary ${unique()} - it’s 'quoted' "twice" \\ ${unique()}`,
    notes: `canary ${unique()}\n    at a line - ${unique()}\n\n**${unique()}**`,
    'idempotency key': `canary-${unique()}`,
    'wrong password': `canary ${unique()}`,
    state: `canary-${unique()}`,
    query: `canary-${unique()}`,
  };
}

/** One line for each request: its status, and the body where it failed. */
type ErrorBodies = string[];

/** What a caller may send wrongly, with words and secrets in every place. */
async function sendEverything(
  { stack }: Pick<OAuthWorld, 'stack'>,
  client: AccountClient,
  words: Canaries,
): Promise<ErrorBodies> {
  const bodies: ErrorBodies = [];
  const bearer = { Authorization: `Bearer ${client.token.secret}` };
  const secret = client.token.secret;
  const { title, notes, query } = words;
  const send = async (method: string, path: string, body?: unknown, headers: object = {}): Promise<void> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(stack.baseUrl + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...bearer, ...headers },
      ...(body !== undefined && { body: text }),
      redirect: 'manual',
    });
    const answer = await response.text();
    if (response.status >= 400) bodies.push(`${method} ${response.status} ${answer}`);
  };
  const api = '/api/public/v1';
  const key = { 'Idempotency-Key': words['idempotency key'] };
  await send('POST', `${api}/tasks`, { title, description: notes }, key);
  await send('POST', `${api}/tasks`, { title, description: notes }, key);
  await send('POST', `${api}/tasks`, { title }, key);
  await send('POST', `${api}/tasks`, { title, description: notes });
  await send('POST', `${api}/tasks`, { title: [title], description: notes });
  await send('POST', `${api}/tasks`, `{"title": "${unique()}", ${title}`);
  await send('PATCH', `${api}/tasks/${secret}`, { title });
  await send('GET', `${api}/tasks?cursor=${query}&view=${query}`);
  await send('GET', `${api}/tasks?access_token=${secret}`);
  await send('GET', `${api}/${secret}/${query}`);
  await send('GET', `/${secret}`);
  await send('GET', `${api}/me`, undefined, { Authorization: `Bearer ${secret} ${query}` });
  await send('GET', `${api}/me`, undefined, { Authorization: `Basic ${query}`, Cookie: `session=${query}` });
  await send('POST', `${api}/auth/token`, { subjectToken: secret, scope: query });
  await send('POST', `${api}/auth/token`, `{"subjectToken": "${secret}"`);
  await send('POST', '/oauth/token', `grant_type=${query}&code=${query}&code_verifier=${query}`, {
    'Content-Type': 'application/x-www-form-urlencoded',
  });
  await send('POST', '/oauth/register', `{"redirect_uris": "${query}"`);
  await send('GET', `/settings?${query}`);
  const rpc = (method: string, params: unknown) =>
    send(
      'POST',
      assistantPath,
      { jsonrpc: '2.0', id: 1, method, params },
      { Accept: 'application/json, text/event-stream' },
    );
  await rpc('tools/call', { name: 'add_tasks', arguments: { tasks: [{ title, notes }] } });
  await rpc('tools/call', { name: 'add_tasks', arguments: { tasks: title } });
  await rpc('tools/call', { name: title, arguments: {} });
  await rpc(title ?? '', { [notes ?? '']: title });
  await send('POST', assistantPath, `{"jsonrpc": "${title}`);
  return bodies;
}

type Broken = {
  world: OwnOAuthWorld;
  direct: SqlConnection;
  database: FaultProxy;
  redis: FaultProxy;
  collector: SpanCollector;
};

/** Both services behind stores that can be taken away, everything logged and traced. */
async function startBreakable(t: ExecutionContext): Promise<Broken> {
  const collector = await startSpanCollector();
  t.teardown(collector.close);
  const { proxy: database, url: databaseUrl, directUrl } = await openProxiedDatabase(t);
  const { proxy: redis, url: redisUrl } = await openProxiedRedis(t);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const world = await startOAuthWorld(t, { databaseUrl, redisUrl, environment });
  const direct = connectSql(directUrl);
  t.teardown(direct.close);
  return { world, direct, database, redis, collector };
}

/** In a row that can't be stored, PostgreSQL quotes its input: in the message here, in the detail always. */
const refuseRows = `
  create function tasks.refuse() returns trigger language plpgsql as $$
  begin raise exception 'not a title: "%"', new.title using errcode = '22023',
    detail = new.description; end $$;
  create trigger refuse before insert on tasks.task for each row execute function tasks.refuse()`;

test('no secret and no user data is in logs, metrics, traces or error bodies', async (t) => {
  const { world, direct, database, redis, collector } = await startBreakable(t);
  const { stack } = world;
  const words = createWords();
  const client = await stack.newClient();
  const secrets = await useEverySecret(world, { state: words.state, wrongPassword: words['wrong password'] });
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
