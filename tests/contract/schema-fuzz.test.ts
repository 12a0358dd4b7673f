import test from 'ava';
import fc from 'fast-check';
import type { Operation } from '#shared/http/operation.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { makeIds, missingIds, operations, pathOf } from '#tests/api/matrix/request-fixtures.ts';
import { find } from '#tests/openapi/read-document.ts';
import { locate, type OpenApiDocument } from '#tests/support/openapi-document.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { createResolver, type ResolveSchema, type Schema, typesOf } from './json-schema.ts';
import { validValues } from './schema-arbitrary.ts';

type FuzzResult = {
  operation: string;
  requests: number;
  /** Of the requests that obey the schema, those that got 2xx. */
  accepted: number;
  failures: string[];
};

type Client = Awaited<ReturnType<Stack['newClient']>>;

type Parameter = { name: string; in: string; schema: Schema };
/** What the served document says of an operation's requests. */
type DescribedOperation = Operation & { queries: readonly Parameter[]; bodySchema: Schema | undefined };

async function readOperations(stack: Stack) {
  const document = (await (await fetch(`${stack.apiRoot}/openapi.json`)).json()) as OpenApiDocument;
  const described = operations.map((operation): DescribedOperation => {
    const place = ['/paths', apiRootPath + operation.path, operation.method] as const;
    const parameters = locate<unknown[]>(document, ...place, 'parameters')?.value ?? [];
    const queries = parameters
      .map((_, index) => find<Parameter>(document, ...place, 'parameters', String(index)).value)
      .filter((parameter) => parameter.in === 'query');
    const json = [...place, 'requestBody', 'content', 'application/json', 'schema'] as const;
    return { ...operation, queries, bodySchema: locate<Schema>(document, ...json)?.value };
  });
  return { described, resolve: createResolver(document) };
}

/**
 * For each operation of the API: requests that obey its schema, which must be answered as documented and
 * never with 5xx, and requests with one breach, which must be refused by the field's name. The client checks
 * every answer's shape.
 */
async function fuzzDocument(
  stack: Stack,
  { seed, runs, only = /./ }: { seed: number; runs: number; only?: RegExp },
): Promise<FuzzResult[]> {
  const { described, resolve } = await readOperations(stack);
  const results: FuzzResult[] = [];
  for (const operation of described.filter(({ operationId }) => only.test(operationId))) {
    const result = { operation: operation.operationId, requests: 0, accepted: 0, failures: [] };
    await sendValid(stack, operation, resolve, { seed, runs }, result);
    await sendBreaches(stack, operation, resolve, result);
    results.push(result);
  }
  return results;
}

async function sendValid(
  stack: Stack,
  operation: DescribedOperation,
  resolve: ResolveSchema,
  { seed, runs }: { seed: number; runs: number },
  result: FuzzResult,
): Promise<void> {
  const client = await stack.newClient();
  // A request may delete them, so each operation has its own.
  const ids = await makeIds(client);
  const chosen: Record<string, string> = {
    areaId: ids.area,
    projectId: ids.project,
    sectionId: ids.section,
  };
  const choose = (name: string) => {
    const id = chosen[name];
    return id === undefined ? undefined : fc.constant(id);
  };
  const { bodySchema, queries } = operation;
  const bodies = bodySchema ? validValues(bodySchema, { resolve, choose }) : fc.constant(undefined);
  const query = fc.record(
    Object.fromEntries(
      queries
        .filter(({ name }) => name !== 'cursor')
        .map(({ name, schema }) => [name, validValues(schema, { resolve, choose }, name)]),
    ),
    { requiredKeys: [] },
  );
  const requests = fc.sample(fc.tuple(bodies, query), { seed, numRuns: runs });
  for (const [sent, parameters] of requests) {
    const search = new URLSearchParams(
      Object.entries(parameters).map(([name, value]) => [name, String(value)]),
    );
    const answer = await sendOnce(client, operation, `${pathOf(operation, ids)}?${search}`, sent);
    result.requests += 1;
    if (answer.status < 300) result.accepted += 1;
    const fault = answer.fault ?? (answer.status < 300 ? changedText(sent, answer.body) : undefined);
    if (fault !== undefined)
      result.failures.push(`${operation.operationId} ${JSON.stringify(sent)} ${search}: ${fault}`);
  }
}

type Sent = { status: number; body: unknown; fault: string | undefined };

async function sendOnce(client: Client, { method }: Operation, path: string, body: unknown): Promise<Sent> {
  try {
    const answer = await client.request<unknown>(method.toUpperCase(), path, { body });
    return { ...answer, fault: answer.status >= 500 ? String(answer.status) : undefined };
  } catch (error) {
    return { status: 0, body: undefined, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Texts come back as they were sent; no notes and empty notes are one. */
function changedText(sent: unknown, got: unknown): string | undefined {
  const [wanted, stored] = [Object(sent), Object(got)] as Record<string, unknown>[];
  const changed = ['title', 'description'].filter((name) => {
    const text = wanted?.[name];
    return (
      typeof text === 'string' && stored !== undefined && name in stored && (stored[name] ?? '') !== text
    );
  });
  return changed.length === 0 ? undefined : `${changed.join(', ')} came back changed`;
}

/** A field, and what is sent with it wrong. */
type Breach = { field: string; query?: string; body?: unknown };

async function sendBreaches(
  stack: Stack,
  operation: DescribedOperation,
  resolve: ResolveSchema,
  result: FuzzResult,
): Promise<void> {
  const client = await stack.newClient();
  for (const { field, query = '', body } of breachesOf(operation, resolve)) {
    const answer = await sendOnce(client, operation, `${pathOf(operation, missingIds())}${query}`, body);
    result.requests += 1;
    const named = Object.keys((answer.body as { errors?: object } | undefined)?.errors ?? {});
    const isNamed = named.some(
      (name) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`),
    );
    if (answer.fault !== undefined || answer.status !== 400 || !isNamed) {
      const what = JSON.stringify(body)?.slice(0, 200) ?? query;
      result.failures.push(
        `${operation.operationId} ${what}: ${answer.fault ?? answer.status} names ${named}, not ${field}`,
      );
    }
  }
}

function breachesOf({ queries, bodySchema }: DescribedOperation, resolve: ResolveSchema): Breach[] {
  const wrongQueries = queries
    .filter(({ name }) => name !== 'limit')
    .map(({ name }) => ({ field: name, query: `?${name}=no-such-value` }));
  if (bodySchema === undefined) return wrongQueries;
  const schema = resolve(bodySchema);
  const valid = { title: 'Valid' };
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    wrongValues(resolve(member), resolve).map((value) => ({
      field: name,
      body: { ...valid, [name]: value },
    })),
  );
  const missing = (schema.required ?? []).map((name) => ({ field: name, body: {} }));
  return [
    ...wrongQueries,
    ...members,
    ...missing,
    { field: 'no_such_field', body: { ...valid, no_such_field: 1 } },
  ];
}

/** No field takes an object with this member, a list in a list, another type, or too great a length. */
function wrongValues(schema: Schema, resolve: ResolveSchema): unknown[] {
  const { maxLength, maxItems, enum: choices } = schema;
  const types = typesOf(schema, resolve);
  const simple = { null: null, integer: 7, boolean: true, string: 'no such value' };
  return [
    ...Object.entries(simple).flatMap(([type, value]) => (types.includes(type) ? [] : [value])),
    { no_such_member: true },
    [[]],
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1), '\u{1f600}'.repeat(maxLength + 1)]),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill({ title: 'x' })]),
    ...(choices === undefined ? [] : ['no-such-value']),
    'with U+0000: \0',
  ];
}

/** The same seed sends the same requests. FUZZ_SEED and FUZZ_OPERATION, an expression, choose others. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const only = new RegExp(process.env.FUZZ_OPERATION ?? '');

const stack = await startStack(test, { withAuthServer: true });

test('the service does what its document promises, and refuses what it forbids', async (t) => {
  t.timeout(300_000);
  t.log(`seed ${seed}`);
  const results = await fuzzDocument(stack, { seed, runs: 40, only });
  t.deepEqual(
    results.flatMap(({ failures }) => failures),
    [],
  );
  t.deepEqual(
    results.filter(({ accepted }) => accepted === 0).map(({ operation }) => operation),
    [],
  );
});
