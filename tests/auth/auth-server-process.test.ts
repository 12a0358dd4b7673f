import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { findFreePort } from '#local/free-port.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { testRedisUrl } from '#tests/support/test-environment.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { startAuthReplicas } from './auth-replicas.ts';

const main = 'services/auth-server/src/main.ts';

function start(t: ExecutionContext, env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { ...programEnvironment, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return child;
}

async function startServer(t: ExecutionContext, databaseUrl: string, more: Record<string, string> = {}) {
  const [port, managementPort] = [await findFreePort(), await findFreePort()];
  const child = start(t, {
    BASE_URL: 'https://tasks.example.com',
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    KEY_ENCRYPTION_SECRET: 'the signing keys of a test are worth nothing',
    HOST: '127.0.0.1',
    PORT: String(port),
    MANAGEMENT_PORT: String(managementPort),
    ...more,
  });
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${managementPort}${path}`).then(
      ({ status }) => status,
      () => undefined,
    );
  const isAlive = async () => (await statusOf('/livez')) === 200;
  await waitFor(isAlive, { timeoutMilliseconds: 60_000, what: 'the process to be alive' });
  return { child, statusOf, root: `http://127.0.0.1:${port}` };
}

test('the service makes its first keys, becomes ready, serves, and ends on SIGTERM', async (t) => {
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  const { child, statusOf, root } = await startServer(t, database.url);
  await waitFor(async () => (await statusOf('/readyz')) === 200, { what: 'readiness' });
  const { keys } = JSON.parse(await (await fetch(`${root}/oauth/jwks`)).text());
  t.is(keys.length, 2);
  child.kill('SIGTERM');
  t.deepEqual(await once(child, 'exit'), [0, null]);
});

test('without a database the service is alive and not ready', async (t) => {
  const { statusOf } = await startServer(t, 'postgres://nobody@127.0.0.1:9/none');
  t.is(await statusOf('/readyz'), 503);
  t.is(await statusOf('/livez'), 200);
});

test('with another key secret than before the service is not ready', async (t) => {
  const auth = await startAuthReplicas(t);
  await auth.client.get('/oauth/jwks');
  const secret = { KEY_ENCRYPTION_SECRET: 'not the secret that the keys were encrypted with' };
  const { statusOf } = await startServer(t, auth.databaseUrl, secret);
  t.is(await statusOf('/readyz'), 503);
});

test('an environment with faults ends the start and lists them all', async (t) => {
  const child = start(t, { KEY_ENCRYPTION_SECRET: 'short', ACCESS_TOKEN_TTL_SECONDS: '0', PORT: 'x' });
  const [output] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  t.is(child.exitCode, 1);
  for (const fault of [
    'BASE_URL must be set',
    'DATABASE_URL must be set',
    'REDIS_URL must be set',
    'PORT must be a whole number from 1 to 65535',
    'KEY_ENCRYPTION_SECRET must have at least 32 characters',
    'ACCESS_TOKEN_TTL_SECONDS must be a whole number from 1 to 86400',
  ]) {
    t.true(output.includes(`  - ${fault}\n`), fault);
  }
  t.false(output.includes('short'));
});
