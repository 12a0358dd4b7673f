import { randomUUID } from 'node:crypto';
import test from 'ava';
import { auditEventNames } from '#auth-server/audit/audit-event-entity.ts';
import { assistantPath } from '#shared/http/protected-resource-urls.ts';
import { readProjectFiles } from '#tests/architecture/source-files.ts';
import { launchService, serviceNames } from '#tests/lifecycle/service-process.ts';
import { connectApp, refreshRequest, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { openProxiedDatabase, openProxiedRedis } from '#tests/stores/store-proxies.ts';
import { makeTask } from '#tests/support/factories.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { runPromtool, testWithPromtool } from '#tests/support/promtool.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { readMetricsList, servedMetrics } from './metrics-list.ts';
import { readMetrics } from './metrics-text.ts';
import { startSpanCollector } from './span-collector.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

test.serial('requests are counted and timed by method, route and status', async (t) => {
  const stack = await startStack(t, { own: true });
  const client = await stack.newClient();
  const task = await makeTask(client);
  await client.get(`/tasks/${task.id}`);
  await client.get(`/tasks/${unknownId}`);
  await client.get('/tasks/no-uuid');
  await client.get('/tasks?view=never');
  await stack.anonymous.get('/tasks');
  const metrics = await waitForRequests(stack, 6);
  const count = (method: string, route: string, status: number): number =>
    metrics.value('http_requests_total', {
      method,
      route: `/api/public/v1${route}`,
      status: String(status),
    });
  t.is(count('POST', '/tasks', 201), 1);
  t.is(count('GET', '/tasks/{id}', 200), 1);
  t.is(count('GET', '/tasks/{id}', 404), 2);
  t.is(count('GET', '/tasks', 400), 1);
  t.is(count('GET', '/tasks', 401), 1);
  t.is(metrics.value('http_requests_in_progress'), 0);
  const route = '/api/public/v1/tasks/{id}';
  t.is(metrics.value('http_request_duration_seconds_count', { route }), 3);
  t.is(metrics.value('feed_writes_total'), 1);
  t.is(metrics.value('feed_entries_total'), 1);
  t.is(metrics.value('account_queue_wait_seconds_count'), 1);
  t.is(metrics.value('authentications_total', { outcome: 'accepted' }), 5);
  t.is(metrics.value('authentications_total', { outcome: 'missing' }), 1);
  t.is(metrics.value('rate_limit_decisions_total', { limit: 'token', outcome: 'allowed' }), 5);
  // One of them is the document, which the client fetches to check the answers.
  t.is(metrics.value('rate_limit_decisions_total', { limit: 'address', outcome: 'allowed' }), 7);
  t.true(metrics.value('database_statement_duration_seconds_count', { verb: 'select' }) >= 5);
  t.true(metrics.value('database_connection_wait_seconds_count', { outcome: 'acquired' }) >= 5);
  t.is(metrics.value('database_pool_limit'), 10);
  t.true(metrics.value('database_pool_connections') >= 1);
});

test.serial('a route is a pattern whatever is asked for; unknown paths are one, methods too', async (t) => {
  const stack = await startStack(t, { withAuthServer: true, own: true });
  const secret = 'secret-0123456789-0123456789';
  const api = [
    '/me',
    '/tasks',
    `/tasks/${secret}`,
    `/tasks/${secret}/complete`,
    `/projects/${secret}/sections`,
  ];
  const site = [
    ...api.map((path) => `/api/public/v1${path}?x=${secret}`),
    `/api/public/v1/${secret}`,
    `/api/public/v1/tasks/%00${secret}`,
    `/api/public/v1/docs/assets/1/${secret}`,
    assistantPath,
    '/',
    `/oauth/interaction/${secret}`,
    `/oauth/authorize/${secret}`,
    '/oauth/token',
    `/oauth/${secret}`,
    `/settings/${secret}`,
    '/sign-in',
  ];
  for (const path of site) {
    for (const method of ['GET', 'POST', 'REPORT']) await stack.site.request(method, path);
  }
  const isSeen = async (): Promise<number> => {
    const texts = await Promise.all([stack.metrics('resource-api'), stack.metrics('auth-server')]);
    return texts.reduce((sum, text) => sum + readMetrics(text).value('http_requests_total'), 0);
  };
  await waitFor(async () => (await isSeen()) >= 3 * site.length, patiently('all requests to be counted'));
  const labels: Record<string, string[]> = { route: [], method: [] };
  for (const service of ['resource-api', 'auth-server'] as const) {
    const text = await stack.metrics(service);
    t.false(text.includes(secret));
    for (const label of ['route', 'method'])
      labels[label]?.push(...readMetrics(text).valuesOf('http_requests_total', label));
  }
  t.deepEqual([...new Set(labels.method)].toSorted(), ['GET', 'POST', 'other']);
  t.deepEqual([...new Set(labels.route)].toSorted(), [
    '/',
    '/api/public/v1/docs/assets/{version}/{file}',
    '/api/public/v1/me',
    '/api/public/v1/openapi.json',
    '/api/public/v1/projects/{id}/sections',
    '/api/public/v1/tasks',
    '/api/public/v1/tasks/{id}',
    '/api/public/v1/tasks/{id}/complete',
    '/mcp',
    '/oauth/authorize/{uid}',
    '/oauth/interaction/{uid}',
    '/oauth/token',
    '/sign-in',
    'unmatched',
  ]);
});

test.serial('tokens are counted as they are issued and refused', async (t) => {
  const world = await startOAuthWorld(t, { own: true });
  const { stack, endpoints } = world;
  const app = await connectApp(world);
  await endpoints.token(refreshRequest(app));
  await endpoints.token({ ...refreshRequest(app), refresh_token: 'wrong' });
  const { token } = await stack.newClient();
  await stack.anonymous.post('/auth/token', {
    grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subjectToken: token.secret,
    subjectTokenType: 'urn:ietf:params:oauth:token-type:access_token',
  });
  const issued = readMetrics(await stack.metrics('auth-server'));
  const count = (grant_type: string): number => issued.value('access_tokens_issued_total', { grant_type });
  t.is(count('authorization_code'), 1);
  t.is(count('refresh_token'), 1);
  t.is(issued.value('audit_events_total', { event: 'app_connected' }), 1);
  t.deepEqual(issued.valuesOf('audit_events_total', 'event'), [...auditEventNames]);
  t.is(issued.value('signing_key_loads_total', { outcome: 'failed' }), 0);
  const age = Date.now() / 1_000 - issued.value('signing_key_current_since_timestamp_seconds');
  t.true(age > -60 && age < 600, `the key is ${age} s old`);

  await stack.client(String(app.tokens.access_token)).get('/me');
  await stack.client(`${token.secret}x`).get('/me');
  await stack.client('a.b.c').get('/me');
  await stack.client(token).get('/me?token=x');
  const checked = readMetrics(await stack.metrics('resource-api'));
  const outcome = (name: string): number => checked.value('authentications_total', { outcome: name });
  t.deepEqual(
    ['accepted', 'malformed', 'not_accepted', 'in_query', 'unavailable'].map(outcome),
    [1, 1, 1, 1, 0],
  );
  t.true(checked.value('verification_keys_loaded_timestamp_seconds') > 0);
});

test.serial('without Redis every decision is counted as a fallback', async (t) => {
  const { proxy, url: redisUrl } = await openProxiedRedis(t);
  const stack = await startStack(t, { redisUrl });
  const client = await stack.newClient();
  await client.get('/me');
  t.is(readMetrics(await stack.metrics('resource-api')).value('redis_fallbacks_total'), 0);
  proxy.setMode('refuse');
  await waitFor(async () => {
    await client.get('/me');
    return readMetrics(await stack.metrics('resource-api')).value('redis_circuit_open') === 1;
  }, patiently('the circuit to open'));
  const before = readMetrics(await stack.metrics('resource-api')).value('redis_fallbacks_total');
  t.true(before > 0);
  await client.get('/me');
  t.is(readMetrics(await stack.metrics('resource-api')).value('redis_fallbacks_total'), before + 2);
});

test.serial('without PostgreSQL requests are counted as unavailable, not as refused tokens', async (t) => {
  const { proxy, url: databaseUrl } = await openProxiedDatabase(t);
  const stack = await startStack(t, { databaseUrl });
  const client = await stack.newClient();
  await client.get('/me');
  proxy.setMode('refuse');
  t.is((await client.get('/me')).status, 503);
  const metrics = readMetrics(await stack.metrics('resource-api'));
  t.is(metrics.value('authentications_total', { outcome: 'unavailable' }), 1);
  t.true(metrics.value('database_failures_total', { kind: 'unavailable' }) >= 1);
  t.is(metrics.value('http_requests_total', { route: '/api/public/v1/me', status: '503' }), 1);
});

test.serial('renderings of notes and calls of tools are counted by their outcome', async (t) => {
  const stack = await startStack(t, { own: true });
  const client = await stack.newClient();
  await makeTask(client, { description: '**bold**' });
  await makeTask(client, { description: '[constructor]' });
  const rpc = (name: string, input: object) =>
    stack.site
      .with({ Authorization: `Bearer ${client.token.secret}`, Accept: 'application/json, text/event-stream' })
      .post(assistantPath, {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      });
  await rpc('find_tasks', {});
  await rpc('get_task', { task: unknownId });
  const metrics = readMetrics(await stack.metrics('resource-api'));
  t.is(metrics.value('notes_renderings_total', { outcome: 'html' }), 1);
  t.is(metrics.value('notes_renderings_total', { outcome: 'too_demanding' }), 1);
  t.is(metrics.value('notes_rendering_duration_seconds_count'), 2);
  t.is(metrics.value('notes_renderings_queued'), 0);
  t.is(metrics.value('assistant_tool_calls_total', { tool: 'find_tasks', outcome: 'success' }), 1);
});

async function waitForRequests(stack: { metrics(service: 'resource-api'): Promise<string> }, count: number) {
  return waitFor(
    async () => {
      const metrics = readMetrics(await stack.metrics('resource-api'));
      return metrics.value('http_requests_total') >= count && metrics;
    },
    patiently(`${count} requests to be counted`),
  );
}

function patiently(what: string) {
  return { timeoutMilliseconds: 60_000, what };
}

/** prom-client's own. */
const isDefault = (name: string) => /^(process|nodejs)_/.test(name);

test('the documentation lists every metric that is served, with its type and labels', async (t) => {
  const world = await startOAuthWorld(t, { own: true });
  const { stack } = world;
  await connectApp(world);
  const client = await stack.newClient();
  await makeTask(client.with({ 'Idempotency-Key': randomUUID() }), { description: '**notes**' });
  await stack.site
    .with({ Authorization: `Bearer ${client.token.secret}`, Accept: 'application/json, text/event-stream' })
    .post(assistantPath, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'find_tasks', arguments: {} },
    });
  const families = {
    'resource-api': readMetrics(await stack.metrics('resource-api')).families,
    'auth-server': readMetrics(await stack.metrics('auth-server')).families,
  };
  const served = servedMetrics(families).filter(({ name }) => !isDefault(name));
  const [guide] = readProjectFiles(/^docs\/operating\.md$/);
  const documented = readMetricsList(guide?.text ?? '');
  t.deepEqual(
    documented.map(({ labels: _, ...row }) => row),
    served.map(({ labels: _, ...row }) => row),
  );
  // Perhaps no sweep has happened yet: what is shown must be documented.
  for (const { name, labels } of served) {
    const known = documented.find((row) => row.name === name)?.labels ?? [];
    t.deepEqual(
      labels.filter((label) => !known.includes(label)),
      [],
      name,
    );
    t.true(labels.length === known.length || name.startsWith('sweep_'), `${name}: ${known}`);
  }
});

testWithPromtool('Prometheus finds no fault with the metrics of either service', async (t) => {
  const stack = await startStack(t, { withAuthServer: true, own: true });
  for (const service of ['resource-api', 'auth-server'] as const) {
    const lines = (await stack.metrics(service)).split('\n');
    const input = lines.filter((line) => !isDefault(line.replace(/^# (HELP|TYPE) /, ''))).join('\n');
    const { status, output } = runPromtool({ input }, 'check', 'metrics');
    t.deepEqual({ status, output }, { status: 0, output: '' }, service);
  }
});

for (const service of serviceNames) {
  test(`${service} serves its metrics and version, and flushes its traces at exit`, async (t) => {
    const databaseUrl = await freshDatabaseUrl(t);
    const collector = await startSpanCollector();
    t.teardown(collector.close);
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: `my-${service}`,
    };
    const running = await launchService(t, { service, databaseUrl, environment });
    await running.ready();
    await (await fetch(`${running.root}/nowhere`)).text();

    const answer = await fetch(`${running.management}/metrics`);
    t.is(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    const metrics = readMetrics(await answer.text());
    t.is(metrics.value('http_requests_total', { route: 'unmatched', status: '404' }), 1);
    t.is(metrics.value('build_info'), 1);
    t.true(metrics.value('process_resident_memory_bytes') > 10_000_000);
    t.true(metrics.value('process_cpu_seconds_total') > 0);
    t.true(metrics.value('nodejs_heap_size_used_bytes') > 1_000_000);
    t.true(metrics.value('nodejs_active_resources', { type: 'TCPServerWrap' }) >= 2);
    t.is((await fetch(`${running.root}/metrics`)).status, 404);

    running.child.kill('SIGTERM');
    const [version] = metrics.valuesOf('build_info', 'version');
    t.like(await running.logged('stopping'), { version });
    t.deepEqual(await running.ended, [0, null]);
    const names = collector.spans.map((span) => `${span.service} ${span.name}`);
    t.true(names.includes(`my-${service} GET unmatched`), names.join(', '));
    t.like(running.log[0], { msg: 'starting', service, version, node: process.version });
  });
}
