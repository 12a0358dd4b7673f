import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { findFreePort } from '#local/free-port.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { testRedisUrl } from '#tests/support/test-environment.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { readMetrics } from './metrics-text.ts';
import { startSpanCollector } from './span-collector.ts';

for (const service of ['resource-api', 'auth-server'] as const) {
  test(`${service} serves its metrics and version, and flushes its traces at exit`, async (t) => {
    const database = await createFreshDatabase({ migrated: true });
    t.teardown(database.drop);
    const collector = await startSpanCollector();
    t.teardown(collector.close);
    const [port, managementPort] = [await findFreePort(), await findFreePort()];
    const child = spawn(process.execPath, [`services/${service}/src/main.ts`], {
      env: {
        ...programEnvironment,
        BASE_URL: `http://127.0.0.1:${port}`,
        DATABASE_URL: database.url,
        REDIS_URL: testRedisUrl(),
        KEY_ENCRYPTION_SECRET: 'the signing keys of a test are worth nothing',
        HOST: '127.0.0.1',
        PORT: String(port),
        MANAGEMENT_PORT: String(managementPort),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_SERVICE_NAME: `my-${service}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    const output = text(child.stdout);
    const management = (path: string) =>
      fetch(`http://127.0.0.1:${managementPort}${path}`).catch(() => undefined);
    await waitFor(async () => (await management('/readyz'))?.status === 200, {
      timeoutMilliseconds: 120_000,
      what: 'readiness',
    });
    await (await fetch(`http://127.0.0.1:${port}/nowhere`)).text();

    const answer = await management('/metrics');
    t.is(answer?.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    const metrics = readMetrics((await answer?.text()) ?? '');
    t.is(metrics.value('http_requests_total', { route: 'unmatched', status: '404' }), 1);
    t.is(metrics.value('build_info'), 1);
    t.true(metrics.value('process_resident_memory_bytes') > 10_000_000);
    t.true(metrics.value('process_cpu_seconds_total') > 0);
    t.true(metrics.value('nodejs_heap_size_used_bytes') > 1_000_000);
    t.true(metrics.value('nodejs_active_resources', { type: 'TCPServerWrap' }) >= 2);
    t.is((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 404);

    child.kill('SIGTERM');
    t.deepEqual(await once(child, 'exit'), [0, null]);
    const names = collector.spans.map((span) => `${span.service} ${span.name}`);
    t.true(names.includes(`my-${service} GET unmatched`), names.join(', '));
    const lines = (await output)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [version] = metrics.valuesOf('build_info', 'version');
    t.like(lines[0], { msg: 'starting', service, version, node: process.version });
    t.like(
      lines.find(({ msg }) => msg === 'stopping'),
      { version },
    );
  });
}
