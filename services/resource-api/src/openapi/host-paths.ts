import type { HostOperation, HostResponse } from '#shared/http/operation.ts';
import { unlimitedErrors } from './error-responses.ts';
import { oauthErrorResponse, sharedOAuthError } from './oauth-errors.ts';
import { headersWith, unlimitedHeadersWith } from './response-headers.ts';

type JsonObject = Record<string, unknown>;

/** The paths of the host outside the API root, which name their own server. */
export function hostPaths(baseUrl: string, operations: readonly HostOperation[]): Record<string, JsonObject> {
  const servers = [{ url: baseUrl, description: 'The host itself.' }];
  return Object.fromEntries(
    operations.map((operation) => [
      operation.path,
      { servers, [operation.method]: describeHostOperation(operation) },
    ]),
  );
}

function describeHostOperation(operation: HostOperation): JsonObject {
  const { operationId, summary, description, parameters, requestBody } = operation;
  return {
    operationId,
    tags: ['OAuth'],
    summary,
    description,
    security: [],
    ...(parameters && { parameters }),
    ...(requestBody && { requestBody: { required: true, content: requestBody } }),
    responses: responsesOf(operation),
  };
}

function responsesOf(operation: HostOperation): JsonObject {
  const { responses, oauthErrors = {}, sharedOAuthErrors = [], problems = [], isLimited } = operation;
  const own = Object.entries(responses).map(([status, response]) => [
    status,
    describeResponse(operation, response),
  ]);
  const errors = Object.entries(oauthErrors).map(([status, codes]) => [
    status,
    oauthErrorResponse(codes, { isLimited }),
  ]);
  const shared = sharedOAuthErrors.map((status) => [status, sharedOAuthError(status, isLimited)]);
  return { ...Object.fromEntries([...own, ...errors, ...shared]), ...unlimitedErrors(problems) };
}

function describeResponse(
  { isLimited, isOpenToOrigins }: HostOperation,
  { description, headers = [], content }: HostResponse,
): JsonObject {
  const describeHeaders = isLimited ? headersWith : unlimitedHeadersWith;
  const origins = isOpenToOrigins ? (['Access-Control-Allow-Origin'] as const) : [];
  return {
    description,
    headers: describeHeaders(...origins, 'Cache-Control', ...headers),
    ...(content && { content }),
  };
}
