import test from 'ava';
import { createDocument } from '#resource-api/openapi/document.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { escapeKey, type OpenApiDocument } from '#tests/support/openapi-document.ts';
import { hostInterfaceFields, hostInterfaceTable } from './interface-table.ts';
import { createExampleCheck, find, operationAt } from './read-document.ts';

const baseUrl = 'https://tasks.test';
const document = createDocument(baseUrl, []) as OpenApiDocument;
const exampleFaults = createExampleCheck(document);
const hostPaths = Object.entries(document.paths).filter(([path]) => !path.startsWith(apiRootPath));

for (const [method, path, statuses] of hostInterfaceTable) {
  test(`the document describes ${method.toUpperCase()} ${path} as the interface does`, (t) => {
    const operation = operationAt(document, method, path);
    t.deepEqual(operation.security, []);
    for (const status of statuses) t.true(String(status) in operation.responses, `status ${status}`);
    const promised = Object.keys(operation.responses).filter((status) => status < '300');
    t.deepEqual(promised, [String(statuses[0])]);
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
