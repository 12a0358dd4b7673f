import test from 'ava';
import { Client } from 'pg';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { findInstalledPrograms } from './backup/installed-postgres.ts';
import { type Deployment, manage, startDeployment } from './compose/start-deployment.ts';
import { isHaproxyInstalled } from './gateway/run-gateway.ts';

const programs = findInstalledPrograms();
const isInstalled = isHaproxyInstalled && programs !== undefined;
const testDeployment = testWithProgram('HAProxy, or PostgreSQL with its programs,', isInstalled, test.serial);

const parts = new AsyncDisposableStack();
let started: Promise<Deployment> | undefined;
test.after.always(() => parts.disposeAsync());

function deployment(): Promise<Deployment> {
  started ??= startDeployment(parts, programs ?? '');
  return started;
}

type Caller = { tokenId: string; token: string; api: string };

async function createCaller({ admin, gateway }: Deployment, email: string): Promise<Caller> {
  await admin('account', 'create', '--email', email, '--password', 'correct horse');
  const scopes = ['--scopes', 'read,write'];
  const made = await admin('token', 'create', '--email', email, '--name', 'test', ...scopes);
  return { tokenId: made.tokenId ?? '', token: made.secret ?? '', api: apiRootOf(gateway.baseUrl) };
}

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function statusOf(api: string, token: string): Promise<number> {
  const answer = await fetch(`${api}/me`, bearer(token));
  await answer.arrayBuffer();
  return answer.status;
}

/** A request to each of two replicas, at least once. */
async function statusesOf(api: string, token: string): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let count = 0; count < 4; count += 1) statuses.add(await statusOf(api, token));
  return statuses;
}

async function exchange({ api, token }: Caller): Promise<{ accessToken: string; keyId: string }> {
  const answer = await fetch(`${api}/auth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ subjectToken: token, scope: 'read' }),
  });
  const { accessToken }: { accessToken: string } = JSON.parse(await answer.text());
  const [head = ''] = accessToken.split('.');
  return { accessToken, keyId: JSON.parse(Buffer.from(head, 'base64url').toString()).kid };
}

testDeployment(
  'two replicas count one limit: each answer has one request less left, whoever gives it',
  async (t) => {
    const running = await deployment();
    const { api, token } = await createCaller(running, 'limits@example.com');
    const remaining: number[] = [];
    for (let count = 0; count < 120; count += 1) {
      const answer = await fetch(`${api}/me`, bearer(token));
      await answer.arrayBuffer();
      remaining.push(Number(answer.headers.get('RateLimit-Remaining')));
    }
    t.deepEqual(
      remaining,
      Array.from({ length: 120 }, (_, count) => 119 - count),
    );
    t.deepEqual([...(await statusesOf(api, token))], [429]);
    for (const replica of running.replicas.filter(({ service }) => service === 'resource-api')) {
      const counted = /^http_requests_total\{.*route="\/api\/public\/v1\/me".*\} (\d+)/m.exec(
        await manage(replica, '/metrics'),
      );
      t.true(Number(counted?.[1]) > 40, `${counted?.[1]} requests`);
    }
  },
);

testDeployment('a rotated key signs at both replicas soon, and no token is refused meanwhile', async (t) => {
  const running = await deployment();
  const caller = await createCaller(running, 'keys@example.com');
  const old = await exchange(caller);
  const { currentKeyId } = await running.admin('keys', 'rotate');
  let inARow = 0;
  const isRotated = async () => {
    const { accessToken, keyId } = await exchange(caller);
    t.is(await statusOf(caller.api, accessToken), 200);
    inARow = keyId === currentKeyId ? inARow + 1 : 0;
    return inARow === 4;
  };
  await waitFor(isRotated, { timeoutMilliseconds: 15_000, intervalMilliseconds: 250, what: 'the new key' });
  t.not(old.keyId, currentKeyId);
  t.deepEqual([...(await statusesOf(caller.api, old.accessToken))], [200]);
});

testDeployment(
  'a revoked token counts no more at any replica, nor does what was exchanged for it',
  async (t) => {
    const running = await deployment();
    const caller = await createCaller(running, 'revocation@example.com');
    const { accessToken } = await exchange(caller);
    t.deepEqual([...(await statusesOf(caller.api, caller.token))], [200]);
    t.deepEqual([...(await statusesOf(caller.api, accessToken))], [200]);
    await running.admin('token', 'revoke', '--token-id', caller.tokenId);
    t.deepEqual([...(await statusesOf(caller.api, caller.token))], [401]);
    t.deepEqual([...(await statusesOf(caller.api, accessToken))], [401]);
  },
);

testDeployment('each service’s login has the rights of its own role and no more', async (t) => {
  const { readSecret } = await deployment();
  const refused = async (secret: string, statement: string) => {
    const client = new Client(readSecret(secret));
    await client.connect();
    const error = await t.throwsAsync(client.query(statement)).finally(() => client.end());
    return String(error && 'code' in error && error.code);
  };
  const insufficientPrivilege = '42501';
  const [auth, api] = ['auth-server-database-url', 'resource-api-database-url'];
  t.is(await refused(api, 'select from auth.signing_key'), insufficientPrivilege);
  t.is(await refused(auth, 'select from tasks.task'), insufficientPrivilege);
  t.is(await refused(api, 'set role auth_server'), insufficientPrivilege);
  t.is(await refused(auth, 'set role resource_api'), insufficientPrivilege);
  for (const login of [auth, api]) t.is(await refused(login, 'create schema own'), insufficientPrivilege);
});

testDeployment('the gateway shows nothing of the management ports', async (t) => {
  const { gateway } = await deployment();
  for (const path of ['/livez', '/readyz', '/metrics', '/api/public/v1/metrics', '/oauth/metrics']) {
    const answer = await fetch(gateway.baseUrl + path);
    t.is(answer.status, 404, path);
    t.notRegex(await answer.text(), /http_requests_total|"ready"/);
  }
});

testDeployment('a replica of each service that is stopped loses no request', async (t) => {
  const running = await deployment();
  const caller = await createCaller(running, 'stopping@example.com');
  const stopped = running.replicas.filter((_, index) => index % 2 === 0);
  for (const { child } of stopped) child.kill('SIGTERM');
  const ends = Promise.all(stopped.map(({ ended }) => ended));
  let isOver = false;
  void ends.then(() => {
    isOver = true;
  });
  // So often that each replica is asked while it stops, and less often than an address may ask.
  const untilStopped = { intervalMilliseconds: 20, timeoutMilliseconds: 60_000, what: 'the replicas to end' };
  await waitFor(async () => {
    const answers = [fetch(`${caller.api}/openapi.json`), fetch(`${running.gateway.baseUrl}/oauth/jwks`)];
    for (const answer of await Promise.all(answers)) {
      t.is(answer.status, 200);
      await answer.arrayBuffer();
    }
    return isOver;
  }, untilStopped);
  t.deepEqual(await ends, [
    [0, null],
    [0, null],
  ]);
  t.is(await statusOf(caller.api, caller.token), 200);
});
