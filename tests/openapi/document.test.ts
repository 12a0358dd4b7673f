import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import test from 'ava';
import { type AnySchema, object, string } from 'yup';
import { tokenExchange } from '#auth-server/token-exchange/token-exchange-operation.ts';
import { createDocument } from '#resource-api/openapi/document.ts';
import { createSchemaMapper, type JsonSchema } from '#resource-api/openapi/yup-to-json-schema.ts';
import { routes } from '#resource-api/routes.ts';
import { taskViews } from '#resource-api/tasks/task-views.ts';
import type { Operation } from '#shared/http/operation.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import {
  calendarDate,
  closedObject,
  enumeration,
  flag,
  integer,
  listOf,
  reminderTime,
  text,
  timestamp,
  title,
  uuid,
} from '#shared/validation/fields.ts';
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

test('the guide says of each view which tasks it lists', (t) => {
  const { value: guide } = find<string>(document, '/info/description');
  for (const view of taskViews) t.regex(guide, new RegExp(`^- (.\\w+., )*\`${view}\``, 'm'));
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
  test(`the example body of ${operationId} fits its schema, and the service accepts it`, (t) => {
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

function map(schema: AnySchema): JsonSchema {
  return createSchemaMapper().schemaOf(schema.describe(), 'value');
}

/** Values around the edges of each field: yup and JSON Schema must agree on every one. */
const fields: Record<string, [AnySchema, unknown[]]> = {
  title: [title(3), ['a', 'abc', 'abcd', '😀😀😀', '😀😀😀😀', '', ' ', '\u2003', ' a ', null, 1]],
  text: [text(3).nullable(), ['', 'abc', '😀😀😀', 'abcd', null, false]],
  uuid: [
    uuid(),
    ['0d5f3c5e-6f0b-4c39-9a53-0b8b1a6d1c11', '0D5F3C5E-6F0B-4C39-9A53-0B8B1A6D1C11', 'x', '', null],
  ],
  calendarDate: [
    calendarDate().nullable(),
    ['2026-02-28', '2026-02-29', '2028-02-29', '2026-13-01', '2026-1-1', '2026-01-01T00:00:00Z', '', null],
  ],
  reminderTime: [reminderTime(), ['00:00', '23:59', '24:00', '9:30', '09:30:00', '09:60', '']],
  timestamp: [
    timestamp(),
    ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.123+01:00', '2026-11-21T08:00:00', '2026-11-21', 'x', 0],
  ],
  enumeration: [enumeration(['a', 'b']).nullable(), ['a', 'b', 'c', '', null]],
  flag: [flag(), [true, false, 'true', 0, null]],
  integer: [integer(1, 9), [1, 9, 0, 10, 1.5, '1', null]],
  list: [listOf(flag(), 2), [[], [true], [true, false], [true, true, true], [1], {}, null]],
  'closed object': [
    closedObject({ a: flag().defined(), b: text(1) }),
    [{ a: true }, { a: true, b: 'b' }, { a: true, c: 1 }, { b: 'b' }, {}, [], null],
  ],
};

const formats = { ...fullFormats, uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i };

for (const [name, [schema, values]] of Object.entries(fields)) {
  test(`the documented ${name} allows exactly what the service accepts`, (t) => {
    const validate = new Ajv2020({ formats }).compile(map(schema));
    const accepted = values.filter((value) => schema.isValidSync(value, { strict: true }));
    t.deepEqual(
      values.filter((value) => validate(value)),
      accepted,
    );
    t.true(accepted.length > 0 && accepted.length < values.length);
  });
}
