import test from 'ava';
import { createDocument } from '#resource-api/openapi/document.ts';
import { escapeKey, type OpenApiDocument } from '#tests/support/openapi-document.ts';
import { hostInterfaceFields, hostInterfaceTable } from './interface-table.ts';
import {
  createExampleCheck,
  type DocumentedResponse,
  find,
  operationAt,
  responseOf,
} from './read-document.ts';

const baseUrl = 'https://tasks.test';
const document = createDocument(baseUrl, []) as OpenApiDocument;
const exampleFaults = createExampleCheck(document);
const hostPaths = Object.entries(document.paths).filter(([, item]) => item.servers !== undefined);

for (const [method, path, statuses] of hostInterfaceTable) {
  test(`the document describes ${method.toUpperCase()} ${path} as the interface does`, (t) => {
    const operation = operationAt(document, method, path);
    t.deepEqual(operation.security, []);
    for (const status of statuses) t.true(String(status) in operation.responses, `status ${status}`);
    const promised = Object.keys(operation.responses).filter((status) => status < '300');
    t.deepEqual(promised, [String(statuses[0])]);
    t.like(document.paths[path], { servers: [{ url: baseUrl }] });
  });
}

test('paths of the host are the interface’s, and the keys that tokens are verified with', (t) => {
  const known = [...hostInterfaceTable.map(([, path]) => path), '/oauth/jwks'];
  t.deepEqual(hostPaths.map(([path]) => path).toSorted(), known.toSorted());
});

test('the parameters of an authorization request are the interface’s', (t) => {
  const parameters = operationAt(document, 'get', '/oauth/authorize').parameters as {
    name: string;
    in: string;
  }[];
  t.deepEqual(
    parameters.map(({ name }) => name),
    [...hostInterfaceFields['/oauth/authorize']],
  );
  t.true(parameters.every((parameter) => parameter.in === 'query'));
});

for (const path of ['/oauth/token', '/oauth/revoke'] as const) {
  test(`the fields of a form for ${path} are the interface’s`, (t) => {
    const content = ['requestBody', 'content', 'application/x-www-form-urlencoded', 'schema', 'properties'];
    const { value } = find<Record<string, unknown>>(document, '/paths', path, 'post', ...content);
    t.deepEqual(Object.keys(value).toSorted(), [...hostInterfaceFields[path]].toSorted());
  });
}

for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke'])
  test(`the body of ${path} has examples of its own shape`, (t) => {
    const { pointer, value } = find<object>(document, '/paths', path, 'post', 'requestBody', 'content');
    for (const mediaType of Object.keys(value))
      t.deepEqual(exampleFaults(`${pointer}/${escapeKey(mediaType)}`), []);
  });

test('errors are OAuth’s where programs ask OAuth, pages where people are sent, else the API’s', (t) => {
  const schemaOf = (response: DocumentedResponse) =>
    response.content?.['application/json']?.schema.allOf?.[0] as { $ref: string } | undefined;
  for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
    for (const status of [400, 405, 413, 429, 500, 503])
      t.is(schemaOf(responseOf(document, 'post', path, status))?.$ref, '#/components/schemas/OAuthError');
  }
  for (const status of [400, 405, 429, 500, 503])
    t.deepEqual(Object.keys(responseOf(document, 'get', '/oauth/authorize', status).content ?? {}), [
      'text/html',
    ]);
  const unknown = responseOf(document, 'get', '/.well-known/oauth-protected-resource/{resourcePath}', 404);
  t.is(schemaOf(unknown)?.$ref, '#/components/schemas/Problem');
});

test('what must not be kept says so, and what may be read by any page', (t) => {
  const headersOf = (method: string, path: string, status: number) =>
    Object.keys(responseOf(document, method, path, status).headers ?? {});
  for (const [method, path, status] of [
    ['post', '/oauth/register', 201],
    ['post', '/oauth/token', 200],
    ['post', '/oauth/token', 400],
    ['get', '/.well-known/oauth-authorization-server', 200],
  ] as const) {
    const headers = headersOf(method, path, status);
    t.true(headers.includes('Cache-Control') && headers.includes('Access-Control-Allow-Origin'), path);
  }
  t.true(headersOf('get', '/oauth/authorize', 303).includes('Location'));
  t.false(headersOf('get', '/oauth/authorize', 200).includes('Access-Control-Allow-Origin'));
  t.true(headersOf('post', '/oauth/token', 429).includes('Retry-After'));
});

test('headers of a limit are described where one counts, and nowhere else', (t) => {
  for (const [path, item] of hostPaths) {
    const isLimited = !path.startsWith('/.well-known/') && path !== '/oauth/jwks';
    for (const method of ['get', 'post'].filter((name) => name in item)) {
      const { responses } = operationAt(document, method, path);
      for (const status of Object.keys(responses).filter((name) => name !== '408' && name !== '431')) {
        const headers = Object.keys(responseOf(document, method, path, Number(status)).headers ?? {});
        t.is(
          headers.some((name) => name.startsWith('RateLimit-')),
          isLimited,
          `${path} ${status}`,
        );
      }
    }
  }
});

test('the flow of the security scheme leads to the endpoints', (t) => {
  const { value } = find(document, '/components/securitySchemes/oauth2/flows/authorizationCode');
  t.like(value, {
    authorizationUrl: `${baseUrl}/oauth/authorize`,
    tokenUrl: `${baseUrl}/oauth/token`,
    refreshUrl: `${baseUrl}/oauth/token`,
  });
  const { value: scopes } = find<object>(
    document,
    '/components/securitySchemes/oauth2/flows/authorizationCode/scopes',
  );
  t.deepEqual(Object.keys(scopes), ['read', 'write']);
});
