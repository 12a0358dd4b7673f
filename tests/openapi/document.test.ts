import test from 'ava';
import { object, string } from 'yup';
import { tokenExchange } from '#auth-server/token-exchange/token-exchange-operation.ts';
import { createDocument } from '#resource-api/openapi/document.ts';
import { routes } from '#resource-api/routes.ts';
import type { Operation } from '#shared/http/operation.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { closedObject, text } from '#shared/validation/fields.ts';
import type { OpenApiDocument } from '#tests/support/openapi-document.ts';
import { interfaceTable } from './interface-table.ts';
import {
  codesOf,
  find,
  operationAt as operationOfHost,
  responseOf as responseOfHost,
} from './read-document.ts';

const baseUrl = 'https://tasks.test';
const operations = [...routes.map(({ operation }) => operation), tokenExchange];

// What the tests read of it has the shape that the linter requires of every OpenAPI document.
function documentOf(described: readonly Operation[]): OpenApiDocument {
  return createDocument(baseUrl, described) as OpenApiDocument;
}

const document = documentOf(operations);

const operationAt = (described: OpenApiDocument, method: string, path: string) =>
  operationOfHost(described, method, `${apiRootPath}${path}`);
const responseOf = (described: OpenApiDocument, method: string, path: string, status: number) =>
  responseOfHost(described, method, `${apiRootPath}${path}`, status);

const sample: Operation = {
  operationId: 'getSample',
  method: 'get',
  path: '/samples',
  tag: 'Tasks',
  summary: 'Fetch a sample',
  scope: 'read',
  success: { status: 200, description: 'The sample.', schema: closedObject({ a: text(5) }) },
};

function statusesOf(operation: Operation): number[] {
  const { responses } = operationAt(documentOf([operation]), operation.method, operation.path);
  return Object.keys(responses).map(Number);
}

for (const [method, path, scope, statuses] of interfaceTable) {
  test(`the document describes ${method.toUpperCase()} ${path} as the interface does`, (t) => {
    const operation = operationAt(document, method, path);
    t.deepEqual(operation.security, scope === null ? [] : [{ bearerToken: [scope] }, { oauth2: [scope] }]);
    for (const status of statuses) t.true(String(status) in operation.responses, `status ${status}`);
    t.deepEqual(
      Object.keys(operation.responses).filter((status) => status < '400'),
      [String(statuses[0])],
    );
    t.is(operation['x-extension'], undefined);
  });
}

test('every operation that is served is described, and what goes beyond the interface says so', (t) => {
  const known = new Set<string>(interfaceTable.map(([method, path]) => `${method} ${path}`));
  for (const { method, path, operationId, isExtension = false } of operations) {
    const described = operationAt(document, method, path);
    t.is(described.operationId, operationId);
    t.is(described['x-extension'] ?? false, isExtension);
    t.is(known.has(`${method} ${path}`), !isExtension, `${method} ${path}`);
  }
});

test('an operation is named by what it does: the verb of its method, or the last part of its path', (t) => {
  const verbsOf = { get: ['get', 'list'], patch: ['update'], delete: ['delete'], post: ['create'] };
  for (const { operationId, method, path } of operations.filter(({ scope }) => scope !== null)) {
    const [, action] = /\/\{\w+\}\/(complete|uncomplete|cancel|uncancel|skip|move|restore)$/.exec(path) ?? [];
    const [verb = ''] = /^[a-z]+/.exec(operationId) ?? [];
    t.true(
      (action === undefined ? verbsOf[method] : [action]).includes(verb),
      `${method} ${path}: ${operationId}`,
    );
  }
});

test('the errors of an operation are narrowed to the codes it can answer with', (t) => {
  for (const { method, path, errors = [] } of operations) {
    const described = Object.keys(operationAt(document, method, path).responses).flatMap((status) =>
      codesOf(responseOf(document, method, path, Number(status))),
    );
    t.deepEqual(
      errors.filter((code) => !described.includes(code)),
      [],
      `${method} ${path}`,
    );
  }
  t.deepEqual(codesOf(responseOf(document, 'post', '/projects', 403)), [
    'insufficient_scope',
    'project_limit_reached',
    'storage_limit_reached',
    'premium_required',
  ]);
  t.deepEqual(codesOf(responseOf(document, 'get', '/projects', 403)), ['insufficient_scope']);
  t.deepEqual(codesOf(responseOf(document, 'get', '/me', 401)), ['token_missing', 'token_invalid']);
});

const body = closedObject({ a: text(5) });
const anywhere = [401, 403, 408, 429, 431, 500, 503];
const statusCases: Record<string, [Partial<Operation>, number[]]> = {
  'a read': [{}, [200, ...anywhere]],
  'a read with a query': [{ query: object({ a: string() }) }, [200, 400, ...anywhere]],
  'a read with a query that has no parameters': [{ query: object({}) }, [200, ...anywhere]],
  'a read by id': [{ path: '/samples/{id}' }, [200, 404, ...anywhere]],
  'a write': [{ method: 'post', scope: 'write', body }, [200, 400, 409, 413, 415, 423, ...anywhere]],
  'a write without a body': [{ method: 'post', scope: 'write' }, [200, 400, 409, 413, 415, 423, ...anywhere]],
  'an operation without a token': [
    { scope: null, method: 'post', body },
    [200, 400, 408, 413, 415, 429, 431, 500, 503],
  ],
  'an operation with an error of its own': [{ errors: ['invalid_state'] }, [200, 409, ...anywhere]],
};

for (const [what, [changes, statuses]] of Object.entries(statusCases)) {
  test(`${what} lists every status it can answer with`, (t) => {
    t.deepEqual(
      statusesOf({ ...sample, ...changes }),
      statuses.toSorted((left, right) => left - right),
    );
  });
}

test('every operation describes what is answered before anything is known of the request', (t) => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'post', 'patch', 'delete'].filter((name) => name in item)) {
      for (const status of [408, 431]) {
        const { content } = responseOfHost(document, method, path, status);
        t.is(content, undefined, `${method} ${path}`);
      }
    }
  }
  const guide = find<string>(document, '/info/description').value;
  t.true(guide.includes('408, 431'));
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
