import test from 'ava';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { ApiResponse } from '#tests/support/api-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { answerOf, notFound } from '../matrix/problem-answer.ts';
import { makeIds, operations, pathOf } from '../matrix/request-fixtures.ts';
import { authorization, parsed, plainHeaders, requestBytes } from './raw-exchange.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, { own: true });

const api = await stack.newClient();

const ids = await makeIds(api);

test.after.always(() => stack.close());

/** The target goes out byte for byte: URL parsers would tidy it up. */
async function getTarget(target: string, isSignedIn: boolean): Promise<ApiResponse<unknown>> {
  const headers = isSignedIn ? [...plainHeaders, authorization(api)] : plainHeaders;
  return parsed(await stack.anonymous.raw(requestBytes('GET', target, headers)));
}

const readPaths = operations
  .filter(({ method }) => method === 'get')
  .map((operation) => pathOf(operation, ids));

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
    `${apiRootPath}/tasks/${ids.task}/nothing`,
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

test.serial('an invalid request target is an invalid request', async (t) => {
  for (const target of ['', 'me', '?x', `${apiRootPath}/tasks/\u00e9`, `${apiRootPath}/ta sks`]) {
    const { status } = await stack.anonymous.raw(requestBytes('GET', target, plainHeaders));
    t.is(status, 400, target);
  }
});
