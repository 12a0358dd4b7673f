import test from 'ava';
import { ContractViolation, createContractCheck, type Exchange } from './check-response.ts';
import type { OpenApiDocument } from './openapi-document.ts';

const item = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: { id: { type: 'string', format: 'uuid' }, madeAt: { type: 'string', format: 'date-time' } },
};
const problem = {
  type: 'object',
  additionalProperties: false,
  required: ['errorCode'],
  properties: { errorCode: { type: 'string' } },
};
const limitHeaders = { 'RateLimit-Limit': { required: true, schema: { type: 'integer', minimum: 1 } } };

const itemContent = { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } };
const document: OpenApiDocument = {
  servers: [{ url: 'http://127.0.0.1:1/api/public/v1' }],
  paths: {
    '/items/{id}': {
      get: {
        operationId: 'getItem',
        responses: {
          200: { description: 'The item.', headers: limitHeaders, content: itemContent },
          404: { $ref: '#/components/responses/NotFound' },
        },
      },
      delete: { operationId: 'deleteItem', responses: { 204: { description: 'Gone.' } } },
      patch: {
        operationId: 'patchItem',
        requestBody: { content: itemContent },
        responses: { 200: { description: 'The item.', content: itemContent } },
      },
    },
    '/items/newest': { get: { operationId: 'getNewest', responses: { 204: { description: 'None.' } } } },
    '/about/{resourcePath}': {
      servers: [{ url: '/' }],
      get: { operationId: 'about', responses: { 204: { description: 'Nothing to say.' } } },
    },
  },
  components: {
    schemas: { Item: item, Problem: problem },
    responses: {
      NotFound: {
        description: 'Not there.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  },
};

const id = '01234567-89ab-cdef-0123-456789abcdef';
const json = { 'content-type': 'application/json; charset=utf-8' };

function exchange(changes: Partial<Exchange>): Exchange {
  return {
    method: 'GET',
    pathname: `/api/public/v1/items/${id}`,
    request: { mediaType: undefined, json: undefined },
    status: 200,
    headers: new Headers({ ...json, 'ratelimit-limit': '120' }),
    body: { id },
    ...changes,
  };
}

const check = createContractCheck(document, 'http://127.0.0.1:1/api/public/v1/openapi.json');

const unbodied = { body: undefined, headers: new Headers() };
const patched = { method: 'PATCH', headers: new Headers(json) };
const allowed: Record<string, Partial<Exchange>> = {
  'a documented answer': {},
  'the answer to HEAD, without its body': { method: 'HEAD', body: undefined },
  'a documented error behind a reference': { status: 404, body: { errorCode: 'not_found' } },
  'an empty answer': { method: 'DELETE', status: 204, ...unbodied },
  'an exact path before a template': { pathname: '/api/public/v1/items/newest', status: 204, ...unbodied },
  'a path of several segments in place of resourcePath': { pathname: '/about/a/b', status: 204, ...unbodied },
  'an accepted body of the documented shape': {
    ...patched,
    request: { mediaType: 'application/json', json: { id } },
  },
  'a problem on an unknown path': { pathname: '/api/public/v1/none', status: 404, body: { errorCode: 'x' } },
  'anything outside the API that is not described': { pathname: '/sign-in', body: '<html>' },
  'a preflight': { method: 'OPTIONS', status: 204, ...unbodied },
};

for (const [what, changes] of Object.entries(allowed)) {
  test(`the contract check lets pass ${what}`, (t) => {
    t.notThrows(() => check(exchange(changes)));
  });
}

const refused: Record<string, [Partial<Exchange>, RegExp]> = {
  'an undocumented status': [
    { status: 418 },
    /^getItem GET \/items\/\{id\} → 418: the status is not documented/,
  ],
  'an unknown member': [
    { body: { id, extra: 1 } },
    /→ 200: the whole must NOT have additional properties: extra/,
  ],
  'a missing member': [{ body: {} }, /must have required property 'id'/],
  'a value of the wrong format': [{ body: { id: `urn:uuid:${id}` } }, /\/id must match format "uuid"/],
  'a timestamp that is not UTC': [
    { body: { id, madeAt: '2026-01-01T00:00:00+01:00' } },
    /\/madeAt must match/,
  ],
  'a missing required header': [{ headers: new Headers(json) }, /the header RateLimit-Limit is missing/],
  'a header of the wrong type': [
    { headers: new Headers({ ...json, 'ratelimit-limit': 'many' }) },
    /the header RateLimit-Limit: the whole must be integer/,
  ],
  'another content type': [
    { headers: new Headers({ 'content-type': 'text/html', 'ratelimit-limit': '1' }), body: 'x' },
    /the content type is text\/html, documented is application\/json/,
  ],
  'a body where none is documented': [{ method: 'DELETE', status: 204 }, /a body where none belongs/],
  'a body in answer to HEAD': [{ method: 'HEAD' }, /a body where none belongs/],
  'an accepted body that the document refuses': [
    { ...patched, request: { mediaType: 'application/json', json: { id: 7 } } },
    /accepted though the documented request says otherwise: \/id must be string/,
  ],
  'an accepted body of an undocumented type': [
    { ...patched, request: { mediaType: 'text/plain', json: { id } } },
    /a body of type text\/plain was accepted/,
  ],
  'success on an unknown path': [{ pathname: '/api/public/v1/none' }, /does not know this operation/],
  'an unknown path answered by something else': [
    { pathname: '/api/public/v1/none', status: 404, body: '<html>' },
    /^GET \/api\/public\/v1\/none → 404: the whole must be object/,
  ],
};

for (const [what, [changes, message]] of Object.entries(refused)) {
  test(`the contract check refuses ${what}`, (t) => {
    t.throws(() => check(exchange(changes)), { instanceOf: ContractViolation, message });
  });
}

test('a document whose objects do not say whether they are closed is refused', (t) => {
  const open = { ...document, components: { schemas: { Item: { type: 'object', properties: {} } } } };
  t.throws(() => createContractCheck(open, 'http://127.0.0.1:1/'), {
    message: /\/components\/schemas\/Item$/,
  });
});
