import { randomUUID } from 'node:crypto';
import test from 'ava';
import { assistantPath } from '#shared/http/protected-resource-urls.ts';
import { readProjectFiles } from '#tests/architecture/source-files.ts';
import { connectApp, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { makeTask } from '#tests/support/factories.ts';
import { runPromtool, testWithPromtool } from '#tests/support/promtool.ts';
import { startStack } from '#tests/support/stack.ts';
import { readMetricsTable, rowsOf } from './metrics-table.ts';
import { readMetrics } from './metrics-text.ts';

/** prom-client's own. */
const isDefault = (name: string) => /^(process|nodejs)_/.test(name);

test('the documentation’s table names every metric that is served, with its labels and its help text', async (t) => {
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
  const served = rowsOf(families).filter(({ name }) => !isDefault(name));
  const [guide] = readProjectFiles(/^docs\/operating\.md$/);
  const documented = readMetricsTable(guide?.text ?? '');
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
