import { type ErrorCode, errorCatalogue } from '#shared/errors/error-catalogue.ts';
import type { Operation } from '#shared/http/operation.ts';
import type { Problem } from '#shared/http/problem.ts';
import { changesData } from '#shared/scopes.ts';
import { takesIdempotencyKey } from '../idempotency/run-idempotent.ts';
import {
  type DescribeHeaders,
  headersWith,
  responseHeaders,
  unlimitedHeadersWith,
} from './response-headers.ts';
import type { JsonObject, JsonSchema } from './yup-to-json-schema.ts';

// Object.keys forgets the literal names. One code is of the web app's own operations alone.
export const errorCodes = (Object.keys(errorCatalogue) as ErrorCode[]).filter(
  (code) => code !== 'version_changed',
);

/** A text that is one of `values` so far. Clients generated from an `enum` would fail at a new one. */
export function growingEnumeration(values: Iterable<string>, description: string): JsonSchema {
  return { type: 'string', 'x-extensible-enum': [...new Set(values)], description };
}

const types = errorCodes.map((code) => errorCatalogue[code].type);

const problemFields = {
  errorType: growingEnumeration(types, 'The category of the error. More may be added.'),
  errorCode: growingEnumeration(
    errorCodes,
    'The error, for programs: see *Errors*. More may be added; handle an unknown one by its status.',
  ),
  message: { type: 'string', description: 'The error, for people. Its wording may change.' },
  errors: {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
    description:
      'On validation failures: the field, query parameter or header → its errors. ' +
      '`body` is the body as a whole.',
  },
  requestId: {
    type: 'string',
    format: 'uuid',
    description: 'Identifies the request in our logs; quote it in support requests.',
  },
} satisfies Record<keyof Problem, JsonSchema>;

export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'The format of every error of the API.',
  properties: problemFields,
  required: ['errorType', 'errorCode', 'message', 'requestId'],
};

export type ErrorResponses = ReturnType<typeof createErrorResponses>;

export function createErrorResponses() {
  const components: Record<string, JsonObject> = {};
  return {
    /** What was referred to: the errors of one status, described once for all operations that have them. */
    components,
    /** `codes` sorted into one response per status: status → reference. */
    referTo(codes: readonly ErrorCode[]): Record<string, JsonObject> {
      const byStatus = Map.groupBy(codes, (code) => errorCatalogue[code].status);
      const references = [...byStatus].map(([status, ofStatus]) => {
        const name = ofStatus.map(pascalCase).join('Or');
        components[name] ??= errorResponse(ofStatus);
        return [status, { $ref: `#/components/responses/${name}` }];
      });
      return Object.fromEntries(references);
    },
  };
}

/** The errors of a path that no limit counts, each described in full: status → response. */
export function unlimitedErrors(codes: readonly ErrorCode[]): Record<string, JsonObject> {
  return Object.fromEntries(
    codes.map((code) => [errorCatalogue[code].status, errorResponse([code], unlimitedHeadersWith)]),
  );
}

function errorResponse(
  codes: readonly ErrorCode[],
  describeHeaders: DescribeHeaders = headersWith,
): JsonObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
    headers: headersOf(codes, describeHeaders),
    // Not narrowed in the schema: generators would make one class of each operation's each error.
    'x-error-codes': codes,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function headersOf(codes: readonly ErrorCode[], describe: DescribeHeaders): Record<string, unknown> {
  if (codes.includes('token_invalid')) return describe('WWW-Authenticate');
  if (codes.includes('rate_limited') || codes.includes('service_unavailable')) return describe('Retry-After');
  if (codes.includes('method_not_allowed')) return describe('Allow');
  if (!codes.includes('insufficient_scope')) return describe();
  if (codes.length === 1) return describe('WWW-Authenticate');
  // A token with more scopes would not lift a limit of the plan: those errors come without the challenge.
  return {
    ...describe(),
    'WWW-Authenticate': { ...responseHeaders['WWW-Authenticate'], required: false },
  };
}

function pascalCase(code: ErrorCode): string {
  return code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const always: readonly ErrorCode[] = ['rate_limited', 'internal_error', 'service_unavailable'];
const ofToken: readonly ErrorCode[] = ['token_missing', 'token_invalid', 'insufficient_scope'];
const ofWriting: readonly ErrorCode[] = ['storage_limit_reached', 'account_suspended'];
const ofParameters: readonly ErrorCode[] = ['validation_error'];
const ofBody: readonly ErrorCode[] = ['validation_error', 'body_too_large', 'unsupported_media_type'];
const ofIdempotencyKey: readonly ErrorCode[] = ['validation_error', 'idempotency_key_reused'];
const ofPath: readonly ErrorCode[] = ['not_found'];

/** Every code that an operation can respond with, in the catalogue's order: also those of earlier checks. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const { scope, method, path } = operation;
  const hasParameters = Object.keys(operation.query?.describe().fields ?? {}).length > 0;
  const readsBody = method !== 'get';
  const codes = new Set<ErrorCode>([
    ...always,
    ...(scope === null ? [] : ofToken),
    ...(changesData(scope) ? ofWriting : []),
    ...(hasParameters ? ofParameters : []),
    // An operation without a body refuses one all the same.
    ...(readsBody ? ofBody : []),
    ...(takesIdempotencyKey(operation) ? ofIdempotencyKey : []),
    ...(path.includes('{') ? ofPath : []),
    ...(operation.errors ?? []),
  ]);
  return errorCodes.filter((code) => codes.has(code));
}
