import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type CollectedSpan, type SpanCollector, startSpanCollector } from './span-collector.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const callersSpan = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${callersSpan}-01`;

test.serial('a request is a span below its caller’s, and what it does are spans below its own', async (t) => {
  const collector = await startSpanCollector();
  t.teardown(collector.close);
  const stack = await startStack(t, { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` } });
  const client = await stack.newClient();
  const task = await makeTask(client.with({ traceparent }), {
    title: 'Plant the tree',
    description: '**now**',
  });
  await client.get(`/tasks/${task.id}`);
  await untilCollected(collector, 'GET /api/public/v1/tasks/{id}');

  const spans = collector.spans.filter((span) => span.traceId === traceId);
  const [root] = spans.filter(({ parentSpanId }) => parentSpanId === callersSpan);
  t.like(root, {
    name: 'POST /api/public/v1/tasks',
    service: 'resource-api',
    hasFailed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/public/v1/tasks',
      'http.response.status_code': 201,
    },
  });
  const children = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  t.is(children.length, spans.length - 1);
  const names = new Set(children.map(({ name }) => name));
  t.deepEqual([...names].toSorted(), ['count request', 'postgresql', 'render notes']);
  const statements = children.map((span) => String(span.attributes['db.query.text']));
  t.true(statements.some((statement) => statement.includes('insert into "tasks"."task"')));
  t.false(JSON.stringify(spans).includes('Plant the tree'));

  const other = spanNamed(collector.spans, 'GET /api/public/v1/tasks/{id}');
  t.not(other.traceId, traceId);
  t.is(other.parentSpanId, undefined);
  const lines = stack.log.filter(({ msg }) => msg === 'request');
  t.is(lines.find(({ method, status }) => method === 'POST' && status === 201)?.traceId, traceId);
  t.is(lines.find(({ path }) => String(path).endsWith(task.id))?.traceId, other.traceId);
});

test.serial('both services are in one trace of their own name, and failures are marked', async (t) => {
  const collector = await startSpanCollector();
  t.teardown(collector.close);
  const environment = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` };
  const stack = await startStack(t, { withAuthServer: true, environment });
  const client = await stack.newClient();
  await stack.site.get('/sign-in', { headers: { traceparent } });
  await stack.sql`alter table tasks.task rename to away`;
  t.is((await client.with({ traceparent }).get('/tasks')).status, 500);
  await stack.sql`alter table tasks.away rename to task`;
  await untilCollected(collector, 'GET /sign-in');
  await untilCollected(collector, 'GET /api/public/v1/tasks');
  const spans = collector.spans.filter((span) => span.traceId === traceId);
  t.is(spanNamed(spans, 'GET /sign-in').service, 'auth-server');
  t.true(spanNamed(spans, 'GET /api/public/v1/tasks').hasFailed);
  const [failed] = spans.filter(({ name, hasFailed }) => name === 'postgresql' && hasFailed);
  t.is(failed?.attributes['error.type'], '42P01');
});

test.serial('a sampling ratio of 0 traces nothing, whatever traceparent says, also in the log', async (t) => {
  const collector = await startSpanCollector();
  t.teardown(collector.close);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' };
  const stack = await startStack(t, { environment });
  const client = await stack.newClient();
  await client.with({ traceparent }).get('/me');
  await client.get('/me');
  await stack.close();
  t.deepEqual(collector.spans, []);
});

test.serial('a failing collector is logged once, and its recovery once', async (t) => {
  const collector = await startSpanCollector('refuse');
  t.teardown(collector.close);
  const stack = await startStack(t, { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  const client = await stack.newClient();
  const linesWith = (text: string): number => stack.log.filter(({ msg }) => msg.includes(text)).length;
  const untilArrived = (count: number) =>
    waitFor(async () => (await client.get('/me')).status === 200 && collector.texts.length >= count, {
      timeoutMilliseconds: 60_000,
      what: `${count} messages to the collector`,
    });
  await untilArrived(3);
  t.is(linesWith('traces cannot be exported'), 1);
  collector.setMode('accept');
  await waitFor(async () => (await client.get('/me')).status === 200 && linesWith('exported again') > 0, {
    timeoutMilliseconds: 60_000,
    what: 'the collector to be back',
  });
  t.is(linesWith('traces cannot be exported'), 1);
});

test.serial('an unresponsive collector delays neither requests nor the exit', async (t) => {
  const collector = await startSpanCollector('hang');
  t.teardown(collector.close);
  const stack = await startStack(t, { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  const client = await stack.newClient();
  await client.get('/me');
  await waitFor(() => collector.unanswered() > 0, { timeoutMilliseconds: 30_000, what: 'a message' });
  t.is((await client.get('/me')).status, 200);
  await stack.close();
  // Had the end waited for the collector, the message would have been given up before.
  t.true(collector.unanswered() > 0);
});

/** A request's span ends last: what is below it is there, too. */
async function untilCollected({ spans }: SpanCollector, wanted: string): Promise<void> {
  await waitFor(() => spans.some(({ name }) => name === wanted), {
    timeoutMilliseconds: 60_000,
    what: `the span ${wanted}`,
  });
}

function spanNamed(spans: readonly CollectedSpan[], wanted: string): CollectedSpan {
  const span = spans.find(({ name }) => name === wanted);
  if (span === undefined)
    throw new Error(`no span ${wanted} among ${spans.map(({ name }) => name).join(', ')}`);
  return span;
}
