import fc from 'fast-check';
import { type FuzzRequest, reference } from './fuzz-request.ts';
import type { ResolveSchema, Schema } from './json-schema.ts';
import { isApiOperation, type Operation, type Parameter } from './operations.ts';
import { reconciled } from './reconciled.ts';
import { type ArbitraryContext, validValues } from './schema-arbitrary.ts';
import { texts } from './text-arbitrary.ts';

/** The resources that a world keeps, by the member or parameter that names one. */
const resourceOf: Readonly<Record<string, string>> = {
  projectId: 'project',
  areaId: 'area',
  sectionId: 'section',
};
const redirectUris = [
  'https://app.example.com/callback',
  'http://127.0.0.1/back',
  'com.example.app:/back',
  'cursor://x/y',
];
const subjectTokenType = 'urn:ietf:params:oauth:token-type:access_token';

const referenceTo = (kind: string) => fc.nat(7).map((pick) => reference(kind, pick));

/** Mostly what exists; else what existed once, or never. */
function resourceIds(kind: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: referenceTo(kind), weight: 10 },
    { arbitrary: referenceTo(`${kind} in capitals`), weight: 1 },
    { arbitrary: referenceTo(`gone ${kind}`), weight: 1 },
    { arbitrary: fc.uuid(), weight: 1 },
  );
}

/** Members whose schema is a string and whose meaning is more. */
const meanings: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  redirect_uris: () => fc.uniqueArray(fc.constantFrom(...redirectUris), { minLength: 1 }),
  response_types: () => fc.constantFrom(['code'], ['code', 'token'], null, ''),
  subjectToken: () =>
    fc.oneof(
      { arbitrary: fc.constant(reference('personal token')), weight: 6 },
      { arbitrary: texts({ minimumLength: 1 }), weight: 1 },
    ),
  grantType: () => fc.constant('urn:ietf:params:oauth:grant-type:token-exchange'),
  subjectTokenType: () => fc.constant(subjectTokenType),
  // A key that came before belongs to the request it came with.
  'Idempotency-Key': () => fc.nat(200).map((length) => reference('new key', length)),
};

const resources = () =>
  fc.subarray(['', '/api/public/v1', '/mcp', '/'].map((path) => reference(`resource ${path}`)));
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const scopes = () => fc.constantFrom('read', 'write', 'read write', 'write read offline_access');

/** Operations whose parameters only together make a request that can be granted. */
const wholeBodies: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  requestToken: () =>
    fc.oneof(
      {
        arbitrary: fc.record({
          refresh: fc.constant(reference('refresh')),
          scope: optional(scopes()),
          resource: optional(resources()),
        }),
        weight: 12,
      },
      {
        arbitrary: fc.record({ redemption: fc.constant(reference('code')), resource: optional(resources()) }),
        weight: 1,
      },
    ),
  revokeToken: () =>
    fc.record({
      token: fc.oneof(
        { arbitrary: texts({ minimumLength: 1 }), weight: 9 },
        { arbitrary: fc.constant(reference('access token')), weight: 1 },
      ),
      client_id: fc.constant(reference('client')),
      token_type_hint: optional(fc.oneof(fc.constantFrom('refresh_token', 'access_token'), texts({}))),
    }),
};

const wholeQueries: Readonly<Record<string, () => fc.Arbitrary<Record<string, unknown>>>> = {
  authorize: () =>
    fc.record({
      response_type: fc.constant('code'),
      client_id: fc.constant(reference('client')),
      redirect_uri: fc.constantFrom(...redirectUris, 'http://127.0.0.1:49152/back'),
      code_challenge: fc.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      code_challenge_method: fc.constant('S256'),
      response_mode: optional(fc.constant('query')),
      scope: optional(scopes()),
      state: optional(texts({})),
      resource: optional(resources()),
    }),
};

/** Requests that obey every rule of the document. What they name may still not exist, or not allow it. */
export function validRequests(operation: Operation, resolve: ResolveSchema): fc.Arbitrary<FuzzRequest> {
  const context: ArbitraryContext = { resolve, choose: (name, schema) => meaningOf(name, schema) };
  return fc
    .record({
      path: fc.record(recordOf(operation, 'path', (parameter) => pathValues(operation, parameter, context))),
      query: queries(operation, context),
      chosen: fc.record(
        recordOf(operation, 'header', ({ schema, name }) => optional(validValues(schema, context, name))),
      ),
      harmless: harmlessHeaders,
      mediaType: fc.constantFrom(undefined, ...(operation.body?.mediaTypes ?? [])),
      body: bodies(operation, context),
    })
    .map(({ path, query, chosen, harmless, mediaType, body }) => {
      const type =
        body === undefined ? undefined : (mediaType ?? operation.body?.mediaTypes[0] ?? 'application/json');
      const token = operation.scope === undefined ? undefined : reference('authorization');
      const headers = { ...harmless, ...chosen, Authorization: token, 'Content-Type': type };
      return { operation, method: operation.method, path, query, headers, body };
    });
}

function meaningOf(name: string, schema: Schema): fc.Arbitrary<unknown> | undefined {
  const kind = resourceOf[name];
  if (kind !== undefined && schema.format === 'uuid' && ![schema.type].flat().includes('null'))
    return resourceIds(kind);
  return meanings[name]?.();
}

function recordOf<Value>(
  operation: Operation,
  place: string,
  arbitraryOf: (parameter: Parameter) => fc.Arbitrary<Value>,
) {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, arbitraryOf(parameter)]));
}

function pathValues(operation: Operation, { name, schema }: Parameter, context: ArbitraryContext) {
  if (name === 'resourcePath') return fc.constantFrom('api/public/v1', 'mcp');
  const [, kind] = /\/(task|project|area)s\/\{id\}/.exec(operation.path) ?? [];
  if (name === 'id' && operation.path.includes('{sectionId}'))
    return fc.constant(reference('project of the section'));
  return name === 'id' && kind !== undefined ? resourceIds(kind) : validValues(schema, context, name);
}

/** Unknown parameters are ignored; a `limit` is never rejected; a cursor is one that the same list gave. */
function queries(operation: Operation, context: ArbitraryContext): fc.Arbitrary<FuzzRequest['query']> {
  const limits = fc.oneof(
    fc.integer({ min: 1, max: 5 }),
    fc.constantFrom(0, -1, 200, 201, 2 ** 31, 'abc', '1.5', '', '１'),
  );
  const own = (parameter: Parameter): fc.Arbitrary<unknown> => {
    if (parameter.name === 'limit') return limits;
    if (parameter.name === 'cursor') return fc.constantFrom('', reference('cursor'));
    return validValues(parameter.schema, context, parameter.name);
  };
  const known =
    wholeQueries[operation.id]?.() ?? fc.record(recordOf(operation, 'query', (one) => optional(own(one))));
  const unknown = fc.constantFrom<[string, string][]>(
    [],
    [],
    [],
    [['page', '2']],
    [['', '\u0000']],
    [['view[]', 'x']],
  );
  return fc
    .tuple(known, unknown)
    .map(([values, further]) => [
      ...Object.entries(values).flatMap(([name, value]) =>
        [value].flat().flatMap((one) => (one === undefined ? [] : [[name, one] as const])),
      ),
      ...further,
    ]);
}

function bodies(operation: Operation, context: ArbitraryContext): fc.Arbitrary<unknown> {
  const { body, method } = operation;
  const whole = wholeBodies[operation.id]?.();
  if (whole !== undefined) return whole;
  if (body !== undefined) {
    const values = fc
      .tuple(validValues(body.schema, context), fc.nat(3))
      .map(([value, turn]) => (turn === 0 ? value : reconciled(value)));
    return body.isRequired
      ? values
      : fc.oneof({ arbitrary: values, weight: 9 }, { arbitrary: fc.constant(undefined), weight: 1 });
  }
  const mayCarryNothing = method !== 'GET' && isApiOperation(operation);
  return mayCarryNothing ? fc.constantFrom(undefined, undefined, {}) : fc.constant(undefined);
}

/** Headers that change nothing; a caller's own request id is not taken over. */
const harmlessHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  {},
  {},
  {},
  { 'X-Request-Id': '3f2a7c1e-5b0d-4c39-9a53-0b8b1a6d1c11' },
  { Accept: 'text/html' },
  { Accept: 'application/xml;q=0.9', 'Accept-Language': 'de' },
  { Origin: 'https://page.example' },
  { 'User-Agent': 'x'.repeat(2_000) },
  { 'If-Modified-Since': 'Sat, 21 Nov 2026 08:00:00 GMT' },
  { Cookie: 'a=b; __Host-session=x' },
  { 'X-HTTP-Method-Override': 'DELETE' },
);
