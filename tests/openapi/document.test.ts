import test from 'ava';
import { object, string } from 'yup';
import { tokenExchange } from '#auth-server/token-exchange/token-exchange-operation.ts';
import { createDocument } from '#resource-api/openapi/document.ts';
import { routes } from '#resource-api/routes.ts';
import type { Operation } from '#shared/http/operation.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { closedObject, text } from '#shared/validation/fields.ts';
import { escapeKey, type OpenApiDocument } from '#tests/support/openapi-document.ts';
import { createExampleCheck, type DocumentedOperation, find } from './read-document.ts';

const baseUrl = 'https://tasks.test';
const operations = [...routes.map(({ operation }) => operation), tokenExchange];

// What the tests read of it has the shape that the linter requires of every OpenAPI document.
function documentOf(described: readonly Operation[]): OpenApiDocument {
  return createDocument(baseUrl, described) as OpenApiDocument;
}

const document = documentOf(operations);

const sample: Operation = {
  operationId: 'getSample',
  method: 'get',
  path: '/samples',
  tag: 'Tasks',
  summary: 'Fetch a sample',
  scope: 'read',
  success: { status: 200, description: 'The sample.', schema: closedObject({ a: text(5) }) },
};

test('every operation that is served is described, and what goes beyond the interface says so', (t) => {
  for (const { method, path, operationId, isExtension = false } of operations) {
    const { value: described } = find<DocumentedOperation>(document, '/paths', apiRootPath + path, method);
    t.is(described.operationId, operationId);
    t.is(described['x-extension'] ?? false, isExtension);
  }
});

const refused: Record<string, [readonly Operation[], RegExp]> = {
  'two operations on one method and path': [[sample, { ...sample, operationId: 'other' }], /two operations/],
  'a tag without a description': [[{ ...sample, tag: 'Samples' }], /the tag «Samples»/],
  'a schema that can’t be shown': [
    [{ ...sample, body: string().test('odd', 'no', () => true) }],
    /getSample body: the test «odd»/,
  ],
  'a shared parameter that differs': [
    [
      { ...sample, query: object({ cursor: string() }) },
      { ...sample, path: '/others', query: object({ cursor: string().required() }) },
    ],
    /the parameter Cursor differs/,
  ],
};

for (const [what, [described, message]] of Object.entries(refused)) {
  test(`no document is made of ${what}`, (t) => {
    t.throws(() => documentOf(described), { message });
  });
}

/** The schemas of objects in a part of the document, references followed. */
function objectSchemas(start: string, ...keys: string[]): object[] {
  const { value, pointer } = find<object>(document, start, ...keys);
  const below = Object.entries(value).flatMap(([key, member]) =>
    member instanceof Object ? objectSchemas(pointer, key) : [],
  );
  return 'properties' in value && 'type' in value ? [value, ...below] : below;
}

test('responses may get further members; bodies of requests refuse them', (t) => {
  for (const { operationId, method, path, body } of operations) {
    const place = ['/paths', apiRootPath + path, method] as const;
    for (const schema of objectSchemas(...place, 'responses'))
      t.false('additionalProperties' in schema, operationId);
    const sent = body === undefined ? [] : objectSchemas(...place, 'requestBody', 'content');
    for (const schema of sent) t.like(schema, { additionalProperties: false }, operationId);
  }
});

test('every error of an operation has a body, so that a typed client has either data or an error', (t) => {
  for (const { operationId, method, path } of operations) {
    const { pointer, value } = find<object>(document, '/paths', apiRootPath + path, method, 'responses');
    for (const status of Object.keys(value).filter((code) => Number(code) >= 400))
      t.notThrows(() => find(document, pointer, status, 'content', 'application/json'), operationId);
  }
});

const exampleFaults = createExampleCheck(document);

for (const { operationId, method, path, body, requestExample } of operations) {
  if (body === undefined) continue;
  test(`the example of a body of ${operationId} is what its document describes and the service accepts`, (t) => {
    const content = `/paths/${escapeKey(apiRootPath + path)}/${method}/requestBody/content/application~1json`;
    t.deepEqual(exampleFaults(content), []);
    t.notThrows(() => body.validateSync(requestExample, { strict: true }));
  });
}

for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
  test(`the body of ${path} has examples of its own shape`, (t) => {
    const { pointer, value } = find<object>(document, '/paths', path, 'post', 'requestBody', 'content');
    for (const mediaType of Object.keys(value))
      t.deepEqual(exampleFaults(`${pointer}/${escapeKey(mediaType)}`), []);
  });
}
