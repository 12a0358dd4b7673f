import test from 'ava';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { words } from '#tests/support/words.ts';
import { type Answer, answerOf } from '../matrix/problem-answer.ts';
import { makeIds, operations, pathOf, readOperations, send } from '../matrix/request-fixtures.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { authorization, parsed, plainHeaders, requestBytes } from './raw-exchange.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);

const api = await stack.newClient();

const ids = await makeIds(api);

const untouched = await storedStateOf(stack, api.account);

test.after.always(() => stack.close());

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
  test.serial(
    `${template} answers ${allowed.join(', ')} alone, and names them for any other method`,
    async (t) => {
      for (const method of everyMethod.filter((name) => !allowed.includes(name))) {
        for (const header of [[], [authorization(api)]]) {
          const bytes = requestBytes(method, apiRootPath + path, [...plainHeaders, ...header]);
          const answer = await stack.anonymous.raw(bytes);
          t.deepEqual(answer.headers.get('allow')?.split(', ').toSorted(), allowed, method);
          if (method === 'HEAD') t.is(answer.status, 405);
          else t.deepEqual(answerOf(parsed(answer)), methodNotAllowed, method);
        }
      }
    },
  );
}

test.serial('a method that HTTP does not know is no valid request', async (t) => {
  for (const method of ['FOO', 'get', 'GET\t', 'G\u0000T']) {
    const answer = await stack.anonymous.raw(requestBytes(method, `${apiRootPath}/tasks`, plainHeaders));
    t.is(answer.status, 400);
  }
});

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
