import type { Operation } from '#shared/http/operation.ts';
import { takesIdempotencyKey } from '../idempotency/run-idempotent.ts';
import { type ErrorResponses, errorCodesOf } from './error-responses.ts';
import type { ParameterDescriber } from './parameters.ts';
import { headersWith } from './response-headers.ts';
import { securityOf } from './security-schemes.ts';
import type { JsonObject, SchemaMapper } from './yup-to-json-schema.ts';

export type DescriberParts = {
  mapper: SchemaMapper;
  parameters: ParameterDescriber;
  errors: ErrorResponses;
};

export function describeOperation(parts: DescriberParts, operation: Operation): JsonObject {
  const parameters = parts.parameters.parametersOf(operation);
  const { operationId, tag, summary, scope } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    security: securityOf(scope),
    ...(operation.isExtension && { 'x-extension': true }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: requestBodyOf(parts.mapper, operation) }),
    responses: {
      [operation.success.status]: successOf(parts.mapper, operation),
      ...parts.errors.referTo(errorCodesOf(operation)),
    },
  };
}

function descriptionOf({ description, scope, isMergePatch, isExtension }: Operation): string {
  const paragraphs = [
    description,
    isMergePatch ? 'A merge patch (RFC 7396); `application/merge-patch+json` is accepted, too.' : undefined,
    scope === null ? 'Needs no token.' : `Needs the scope \`${scope}\`.`,
    isExtension ? 'Goes beyond the published interface.' : undefined,
  ];
  return paragraphs.filter((paragraph) => paragraph !== undefined).join('\n\n');
}

function requestBodyOf(mapper: SchemaMapper, operation: Operation): JsonObject {
  const { operationId, body, isBodyOptional, requestExample } = operation;
  const content = body && {
    schema: mapper.schemaOf(body.describe(), `${operationId} body`),
    ...(requestExample !== undefined && { example: requestExample }),
  };
  return {
    required: isBodyOptional !== true,
    content: {
      // One media type: of two, generators of clients make two functions or none.
      'application/json': content,
    },
  };
}

function successOf(mapper: SchemaMapper, operation: Operation): JsonObject {
  const { operationId, success } = operation;
  return {
    description: success.description,
    headers: takesIdempotencyKey(operation) ? headersWith('Idempotency-Replayed') : headersWith(),
    ...(success.schema && {
      content: {
        'application/json': { schema: mapper.schemaOf(success.schema.describe(), `${operationId} response`) },
      },
    }),
  };
}
