import { readFileSync } from 'node:fs';
import { authServerOperations } from '#auth-server/operations.ts';
import { errorCatalogue } from '#shared/errors/error-catalogue.ts';
import type { Operation } from '#shared/http/operation.ts';
import { apiRootOf, apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { apiLimits } from '#shared/rate-limit/api-limits.ts';
import { createErrorResponses, type ErrorResponses, errorCodes, problemSchema } from './error-responses.ts';
import { hostPaths, oauthErrorSchema, sharedOAuthErrors } from './host-paths.ts';
import { type DescriberParts, describeOperation } from './operation-object.ts';
import { createParameterDescriber } from './parameters.ts';
import { headersWith, responseHeaders } from './response-headers.ts';
import { securitySchemes } from './security-schemes.ts';
import { createSchemaMapper, type JsonObject } from './yup-to-json-schema.ts';

type Paths = Record<string, JsonObject>;

/**
 * The OpenAPI 3.1 document of the API: `operations`, and the paths that belong to no resource (specification
 * §9). Throws when an operation can't be described completely, or when two have the same method and path.
 */
export function createDocument(baseUrl: string, operations: readonly Operation[]): JsonObject {
  const mapper = createSchemaMapper();
  const parameters = createParameterDescriber(mapper);
  const errors = createErrorResponses();
  const paths = {
    ...describePaths({ mapper, parameters, errors }, operations),
    ...documentationPaths(errors),
    ...hostPaths(authServerOperations.host(baseUrl)),
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Task Management API',
      version: 'v1',
      description: createGuide(baseUrl),
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-rights-reserved' },
    },
    // One server for all: generators overlook those of single paths.
    servers: [{ url: baseUrl }],
    tags: describeTags(new Set([...operations.map(({ tag }) => tag), 'OAuth', 'Documentation'])),
    paths,
    components: {
      securitySchemes: securitySchemes(baseUrl),
      schemas: { ...mapper.components, ...componentSchemas },
      parameters: parameters.components,
      headers: responseHeaders,
      responses: { ...errors.components, ...sharedOAuthErrors },
    },
  };
}

const componentSchemas = {
  Problem: problemSchema,
  ...authServerOperations.schemas,
  OAuthError: oauthErrorSchema,
};

function describePaths(parts: DescriberParts, operations: readonly Operation[]): Paths {
  const paths: Paths = {};
  for (const operation of operations) {
    const { method } = operation;
    const path = `${apiRootPath}${operation.path}`;
    const item = paths[path] ?? {};
    if (item[method]) throw new Error(`two operations have ${method} ${path}`);
    paths[path] = { ...item, [method]: describeOperation(parts, operation) };
  }
  return paths;
}

const documentation = [
  {
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'This document',
    description: 'OpenAPI 3.1. Needs no token.',
    success: 'The document.',
    content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
  },
  {
    path: '/docs',
    operationId: 'getReferencePage',
    summary: 'The interactive reference',
    description: 'A page on which every operation can be tried. Needs no token.',
    success: 'The page.',
    content: { 'text/html': { schema: { type: 'string' } } },
  },
];

function documentationPaths(errors: ErrorResponses): Paths {
  const headers = headersWith();
  const responses = (success: string, content: object) => ({
    200: { description: success, headers, content },
    304: { description: 'Unchanged since the version in If-None-Match.', headers },
    ...errors.referTo(['rate_limited', 'internal_error', 'service_unavailable']),
  });
  const paths = documentation.map(({ path, operationId, summary, description, success, content }) => {
    const about = { operationId, tags: ['Documentation'], summary, description, security: [] };
    return [apiRootPath + path, { get: { ...about, responses: responses(success, content) } }];
  });
  return Object.fromEntries(paths);
}

/** What the document says of each group of operations, in the order in which they are shown. */
const tagDescriptions: Readonly<Record<string, string>> = {
  Account: 'The account of a token, and token exchange.',
  Tasks:
    'A task is in exactly one list: the inbox, Someday or a project. Today, Upcoming, Anytime, the Logbook ' +
    'and the Trash are views over those lists.',
  Projects: 'A project holds tasks, and sections to divide them. It may belong to an area.',
  Sections: 'The headings within a project.',
  Areas: 'An area groups projects and nothing else: a task is never filed directly in an area.',
  OAuth:
    'How an app discovers this service, asks its user for access, and gets, refreshes and revokes ' +
    'its tokens. These paths belong to the host, not to the API.',
  Documentation: 'This document, and the page that shows it.',
};

/** The tag objects of `names`. Throws for a tag without a description. */
function describeTags(names: ReadonlySet<string>): { name: string; description: string }[] {
  for (const name of names) {
    if (!Object.hasOwn(tagDescriptions, name)) throw new Error(`the tag «${name}» has no description`);
  }
  return Object.entries(tagDescriptions)
    .filter(([name]) => names.has(name))
    .map(([name, description]) => ({ name, description }));
}

/** The description of the API as a whole, in Markdown: what no single operation can say. */
function createGuide(baseUrl: string): string {
  return readFileSync(new URL('./guide.md', import.meta.url), 'utf8')
    .trimEnd()
    .replaceAll('{baseUrl}', baseUrl)
    .replace('{perToken}', String(apiLimits.requestsPerTokenPerMinute))
    .replace('{perAddress}', String(apiLimits.requestsPerAddressPerMinute))
    .replaceAll('{apiRoot}', apiRootOf(baseUrl))
    .replace('{errors}', errorTable());
}

function errorTable(): string {
  const rows = errorCodes
    .map((code) => ({ code, ...errorCatalogue[code] }))
    .toSorted((left, right) => left.status - right.status)
    .map(({ status, type, code, message }) => `| ${status} | \`${type}\` | \`${code}\` | ${message} |`);
  return ['| Status | errorType | errorCode | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}
