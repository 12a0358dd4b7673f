import type { FieldErrors } from '#shared/errors/app-error.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors/error-catalogue.ts';
import type { Problem } from '#shared/http/problem.ts';
import { errorCodes } from './error-codes.ts';
import {
  type DescribeHeaders,
  headersWith,
  responseHeaders,
  unlimitedHeadersWith,
} from './response-headers.ts';
import type { JsonSchema } from './yup-to-json-schema.ts';

type ResponseObject = Record<string, unknown>;

const problemFields = {
  errorType: {
    type: 'string',
    enum: [...new Set(errorCodes.map((code) => errorCatalogue[code].type))],
    description: 'The category of the error.',
  },
  errorCode: { type: 'string', enum: errorCodes, description: 'What went wrong, for programs.' },
  message: { type: 'string', description: 'What went wrong, for people. Its wording may change.' },
  errors: {
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
    description:
      'On validation failures: the field, query parameter or header → what is wrong with it. `body` stands for the body as a whole.',
  },
  requestId: {
    type: 'string',
    format: 'uuid',
    description: 'Finds the request in our logs; quote it in support requests.',
  },
} satisfies Record<keyof Problem, JsonSchema>;

export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'The shape of every error of the API.',
  properties: problemFields,
  required: ['errorType', 'errorCode', 'message', 'requestId'],
  additionalProperties: false,
};

export type ErrorResponses = {
  /** `codes` sorted into one response per status: status → reference. */
  referTo(codes: readonly ErrorCode[]): Record<string, ResponseObject>;
  /** What was referred to: the errors of one status, described once for all operations that can answer them. */
  components: Readonly<Record<string, ResponseObject>>;
};

export function createErrorResponses(): ErrorResponses {
  const components: Record<string, ResponseObject> = {};
  return {
    components,
    referTo(codes) {
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
export function unlimitedErrors(codes: readonly ErrorCode[]): Record<string, ResponseObject> {
  return Object.fromEntries(
    codes.map((code) => [errorCatalogue[code].status, errorResponse([code], unlimitedHeadersWith)]),
  );
}

function errorResponse(
  codes: readonly ErrorCode[],
  describeHeaders: DescribeHeaders = headersWith,
  exampleErrors: FieldErrors = { projectId: ['projectId must be a UUID'] },
): ResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
    headers: headersOf(codes, describeHeaders),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, narrowed(codes)] },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: exampleProblem(code, exampleErrors) }]),
        ),
      },
    },
  };
}

function narrowed(codes: readonly ErrorCode[]): JsonSchema {
  return {
    properties: {
      errorType: { enum: [...new Set(codes.map((code) => errorCatalogue[code].type))] },
      errorCode: { enum: codes },
    },
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

function exampleProblem(code: ErrorCode, errors: FieldErrors): Problem {
  const { type, message } = errorCatalogue[code];
  return {
    errorType: type,
    errorCode: code,
    message,
    ...(code === 'validation_error' && { errors }),
    requestId: '3f0e6f0a-7d1c-4a0e-9d55-0c7a3c6e4b21',
  };
}

function pascalCase(code: ErrorCode): string {
  return code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
