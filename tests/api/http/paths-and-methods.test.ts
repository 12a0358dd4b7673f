import test from 'ava';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { type Answer, answerOf, notFound } from '#tests/api/matrix/problem-answer.ts';
import { makeIds, operations, pathOf, readOperations, send } from '#tests/api/matrix/request-fixtures.ts';
import { storedStateOf } from '#tests/api/matrix/stored-state.ts';
import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { words } from '#tests/support/words.ts';
import { authorization, parsed, plainHeaders, requestBytes } from './raw-exchange.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);

const api = await stack.newClient();

const ids = await makeIds(api);

const untouched = await storedStateOf(stack, api.account);

/** Without the gateway, which has paths of its own. */
const alone = await startStack(undefined, { own: true });

const inside = await alone.newClient();

const idsInside = await makeIds(inside);

test.after.always(() => Promise.all([stack.close(), alone.close()]));

test.after('an unsupported method changes nothing', async (t) => {
  t.deepEqual(await storedStateOf(stack, api.account), untouched);
});

const everyMethod = words('GET HEAD POST PUT PATCH DELETE TRACE QUERY LINK PURGE PROPFIND M-SEARCH');

const methodNotAllowed: Answer = { status: 405, errorType: 'not_found', errorCode: 'method_not_allowed' };

/** Each path of the service with the methods its operations define; HEAD comes with GET. */
const methodsByPath = Map.groupBy(operations, (operation) => pathOf(operation, ids))
  .entries()
  .map(([path, some]) => ({
    path,
    template: some[0]?.path ?? path,
    allowed: some
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
      .toSorted(),
  }))
  .toArray();

for (const { path, template, allowed } of methodsByPath) {
  test.serial(`${template} answers ${allowed.join(', ')} alone, and names them otherwise`, async (t) => {
    for (const method of everyMethod.filter((name) => !allowed.includes(name))) {
      for (const header of [[], [authorization(api)]]) {
        const bytes = requestBytes(method, apiRootPath + path, [...plainHeaders, ...header]);
        const answer = await stack.anonymous.raw(bytes);
        t.deepEqual(answer.headers.get('allow')?.split(', ').toSorted(), allowed, method);
        if (method === 'HEAD') t.is(answer.status, 405);
        else t.deepEqual(answerOf(parsed(answer)), methodNotAllowed, method);
      }
    }
  });
}

test.serial('a CONNECT opens no tunnel', async (t) => {
  for (const target of ['example.com:443', `${apiRootPath}/tasks`]) {
    const bytes = requestBytes('CONNECT', target, [...plainHeaders, authorization(api)]);
    await t.throwsAsync(stack.anonymous.raw(bytes), { message: 'no HTTP response: ""' });
  }
});

/** What one answer has of its own, whatever was asked; fetch closes the connection after a HEAD. */
const ownHeaders = words('date x-request-id ratelimit-remaining ratelimit-reset connection keep-alive');

async function headersOf(client: ApiClient, method: 'GET' | 'HEAD', path: string) {
  const { status, headers, body } = await client.request<unknown>(method, path);
  return {
    status,
    body,
    headers: [...headers].filter(([name]) => !ownHeaders.includes(name)),
  };
}

test.serial('HEAD responds like GET, without the body', async (t) => {
  for (const operation of readOperations) {
    const path = pathOf(operation, ids);
    for (const client of [api, stack.anonymous]) {
      const got = await headersOf(client, 'GET', path);
      const head = await headersOf(client, 'HEAD', path);
      t.deepEqual({ ...got, body: undefined }, head, path);
      t.is(head.status, client === api ? 200 : 401);
      t.true(Number(new Map(head.headers).get('content-length')) > 0);
    }
  }
});

test.serial('a GET ignores any body', async (t) => {
  const bodies = ['{"surplus":1}', '{', 'null', '\u0000', 'x'.repeat(100_000)];
  for (const operation of readOperations) {
    const expected = await send(api, operation, ids);
    for (const body of bodies) {
      const headers = [...plainHeaders, authorization(api), ['Content-Length', String(body.length)] as const];
      const bytes = requestBytes('GET', apiRootPath + pathOf(operation, ids), headers, body);
      const answer = await stack.anonymous.raw(bytes);
      t.is(answer.status, 200);
      t.is(answer.body, JSON.stringify(expected.body));
    }
  }
});

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
    created: await (await stack.newClient()).post('/tasks', { title: 'x' }),
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
    for (const name of words(`ratelimit-limit ratelimit-remaining ratelimit-reset retry-after
        idempotency-replayed www-authenticate x-request-id`))
      t.true(list(headers, 'access-control-expose-headers').includes(name), `${what}: ${name}`);
  }
});

/** The target goes out byte for byte: URL parsers would tidy it up. */
async function getTarget(target: string, isSignedIn: boolean): Promise<ApiResponse<unknown>> {
  const headers = isSignedIn ? [...plainHeaders, authorization(inside)] : plainHeaders;
  return parsed(await alone.anonymous.raw(requestBytes('GET', target, headers)));
}

const readPaths = operations
  .filter(({ method }) => method === 'get')
  .map((operation) => pathOf(operation, idsInside));

/** Other spellings of a path below the API's root, none of which is that path. */
const spellings: Record<string, (path: string) => string> = {
  'another case': (path) => apiRootPath + path.replace(/^\/\w+/, (segment) => segment.toUpperCase()),
  'another case of the root': (path) => `/API/Public/V1${path}`,
  'a slash at the end': (path) => `${apiRootPath}${path}/`,
  'two slashes within': (path) => apiRootPath + path.replaceAll('/', '//'),
  'two slashes before the root': (path) => `/${apiRootPath}${path}`,
  'two slashes in the root': (path) => apiRootPath.replace('/public', '//public') + path,
  'an encoded slash': (path) => `${apiRootPath}/${path.slice(1).replaceAll('/', '%2f')}%2f`,
  'an encoded slash in the root': (path) => `/api%2Fpublic/v1${path}`,
  'an encoded letter': (path) => `${apiRootPath}/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
  'an encoded character at the end': (path) => `${apiRootPath}${path}%20`,
  'an encoded U+0000': (path) => `${apiRootPath}${path}%00`,
  'an encoded line break': (path) => `${apiRootPath}${path}%0d%0a`,
  'a broken encoding': (path) => `${apiRootPath}${path}%`,
  'an encoding that is no UTF-8': (path) => `${apiRootPath}${path}/%E0%A4%A`,
  'a dot segment': (path) => `${apiRootPath}/.${path}`,
  'a step back and forth': (path) => `${apiRootPath}/x/..${path}`,
  'an encoded step back': (path) => `${apiRootPath}/x/%2e%2e${path}`,
  'a way out of the root and back': (path) => `/api/public/v2/../v1${path}`,
  'a fragment': (path) => `${apiRootPath}${path}#top`,
  'a path parameter': (path) => apiRootPath + path.replace(/^\/\w+/, '$&;v=1'),
  'a backslash': (path) => `${apiRootPath}${path.replaceAll('/', '\\')}`,
  'a backslash before a fragment': (path) => `${apiRootPath}/x\\..${path}#`,
  'absolute form': (path) => `http://localhost${apiRootPath}${path}`,
  'absolute form of another host': (path) => `https://example.com${apiRootPath}${path}`,
  'something behind it': (path) => `${apiRootPath}${path}/nothing/at/all`,
  'another version': (path) => `/api/public/v2${path}`,
  'no root': (path) => path,
};

for (const [what, spell] of Object.entries(spellings)) {
  test.serial(`a path spelt with ${what} is no path of the API`, async (t) => {
    for (const path of readPaths) {
      for (const isSignedIn of [true, false]) {
        const target = spell(path);
        t.deepEqual(answerOf(await getTarget(target, isSignedIn)), notFound, target);
      }
    }
  });
}

test.serial('an unknown path is 404, with or without a token', async (t) => {
  for (const target of [
    '/',
    '/api',
    '/api/public',
    apiRootPath,
    `${apiRootPath}/`,
    `${apiRootPath}?`,
    `${apiRootPath}/nothing`,
    `${apiRootPath}/tasks/${idsInside.task}/nothing`,
    `${apiRootPath}/constructor`,
    `${apiRootPath}/__proto__`,
    '/mcpx',
    '/livez',
    '/readyz',
    '/metrics',
    '/favicon.ico',
    '/.env',
    '*',
  ]) {
    for (const isSignedIn of [true, false])
      t.deepEqual(answerOf(await getTarget(target, isSignedIn)), notFound, target);
  }
});
