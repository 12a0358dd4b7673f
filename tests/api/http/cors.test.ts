import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { words } from '#tests/support/words.ts';
import { makeIds, operations, pathOf } from '../matrix/request-fixtures.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);

const api = await stack.newClient();

const ids = await makeIds(api);

test.after.always(() => stack.close());

const list = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? '').split(',').map((entry) => entry.trim().toLowerCase());

test.serial('a page of any origin may ask for any operation, without credentials', async (t) => {
  for (const operation of operations) {
    for (const origin of ['https://app.example', 'http://localhost:5173', 'null']) {
      const { status, headers, body } = await stack.anonymous.request('OPTIONS', pathOf(operation, ids), {
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': operation.method.toUpperCase(),
          'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
        },
      });
      t.deepEqual([status, body], [204, undefined], operation.operationId);
      t.is(headers.get('access-control-allow-origin'), '*');
      t.is(headers.get('access-control-allow-credentials'), null);
      t.true(list(headers, 'access-control-allow-methods').includes(operation.method));
      for (const name of ['authorization', 'content-type', 'idempotency-key'])
        t.true(list(headers, 'access-control-allow-headers').includes(name));
      t.true(Number(headers.get('access-control-max-age')) > 0);
    }
  }
});

test.serial('a preflight of an unknown path succeeds, so that the page sees the 404', async (t) => {
  const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };
  const { status } = await stack.anonymous.request('OPTIONS', '/nothing', { headers });
  t.is(status, 204);
  const answer = await stack.anonymous.post('/nothing', {}, { headers });
  t.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [404, '*']);
});

test.serial('pages may read the exposed headers of every response, including errors', async (t) => {
  const answers = {
    success: await api.get('/me'),
    created: await api.post('/tasks', { title: 'x' }),
    invalid: await api.post('/tasks', {}),
    missingToken: await stack.anonymous.get('/me'),
    notFound: await api.get(`/tasks/${ids.area}`),
    methodNotAllowed: await api.request('PUT', '/tasks'),
    unsupported: await api.post('/tasks', 'x', { headers: { 'Content-Type': 'text/plain' } }),
    tooLarge: await api.post('/tasks', 'x'.repeat(2 * 1024 * 1024 + 1)),
  };
  t.deepEqual(
    Object.values(answers).map(({ status }) => status),
    [200, 201, 400, 401, 404, 405, 415, 413],
  );
  for (const [what, { headers }] of Object.entries(answers)) {
    t.is(headers.get('access-control-allow-origin'), '*', what);
    t.is(headers.get('access-control-allow-credentials'), null, what);
    for (const name of words(`ratelimit-limit ratelimit-remaining ratelimit-reset retry-after idempotency-replayed
        www-authenticate x-request-id`))
      t.true(list(headers, 'access-control-expose-headers').includes(name), `${what}: ${name}`);
  }
});
