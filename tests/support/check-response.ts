import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import {
  escapeKey,
  type HeaderObject,
  type Located,
  locate,
  type OpenApiDocument,
  type OperationObject,
  type ResponseObject,
  type ServerEntry,
} from './openapi-document.ts';
import { createSchemaCheck, type SchemaCheck } from './schema-check.ts';

/** A request and its response, in the terms of the document. */
export type Exchange = {
  method: string;
  pathname: string;
  request: { mediaType: string | undefined; json: unknown };
  status: number;
  headers: Headers;
  /** Parsed JSON, else the text; undefined if empty. */
  body: unknown;
};

/** The service does not do what its document says. */
class ContractViolation extends Error {
  constructor(what: string, faults: readonly string[]) {
    super(`${what}: ${faults.join('; ')}`);
    this.name = 'ContractViolation';
  }
}

/** Paths below the API root that the document does not describe. */
const ownPages = /^\/(openapi\.json|docs)(\/|$)/;

const problemSchema = '/components/schemas/Problem';

/** Returns a check that throws ContractViolation for exchanges that the document does not allow. */
export function createContractCheck(document: OpenApiDocument, documentUrl: string) {
  const findOperation = createOperationFinder(document, documentUrl);
  const checkSchema = createSchemaCheck(document);

  return (exchange: Exchange): void => {
    if (exchange.method === 'OPTIONS') return;
    const operation = findOperation(exchange.method, exchange.pathname);
    const faults = operation
      ? operationFaults(document, checkSchema, operation, exchange)
      : unknownPathFaults(checkSchema, exchange);
    const name = operation?.name ?? `${exchange.method} ${exchange.pathname}`;
    if (faults.length > 0) throw new ContractViolation(`${name} → ${exchange.status}`, faults);
  };
}

function operationFaults(
  document: OpenApiDocument,
  checkSchema: SchemaCheck,
  { pointer }: FoundOperation,
  exchange: Exchange,
): string[] {
  const response = locate<ResponseObject>(document, pointer, 'responses', String(exchange.status));
  if (response === undefined) {
    return [`the status is not documented; the body was ${JSON.stringify(exchange.body)}`];
  }
  return [
    ...bodyFaults(document, checkSchema, response, exchange),
    ...headerFaults(document, checkSchema, response, exchange.headers),
    ...(exchange.status < 300 ? requestFaults(document, checkSchema, pointer, exchange) : []),
  ];
}

function bodyFaults(
  document: OpenApiDocument,
  checkSchema: SchemaCheck,
  response: Located<ResponseObject>,
  { method, headers, body }: Exchange,
): string[] {
  const documented = Object.keys(response.value.content ?? {});
  if (documented.length === 0 || method === 'HEAD') {
    return body === undefined ? [] : [`a body where none belongs: ${JSON.stringify(body)}`];
  }
  const mediaType = mediaTypeOf(headers.get('content-type'));
  if (mediaType === undefined || !documented.includes(mediaType)) {
    return [`the content type is ${mediaType}, documented is ${documented.join(', ')}`];
  }
  const schema = locate(document, response.pointer, 'content', mediaType, 'schema');
  return [
    ...codeFaults(response.value, body),
    ...(schema === undefined ? [] : checkSchema(schema.pointer, body)),
  ];
}

/** All errors have one schema; `x-error-codes` lists the codes of a response. */
function codeFaults({ 'x-error-codes': codes }: ResponseObject, body: unknown): string[] {
  if (codes === undefined) return [];
  const { errorCode, error = errorCode } = Object(body);
  return codes.includes(error) ? [] : [`the error code ${error} is not documented: ${codes.join(', ')}`];
}

function headerFaults(
  document: OpenApiDocument,
  checkSchema: SchemaCheck,
  response: Located<ResponseObject>,
  headers: Headers,
): string[] {
  return Object.keys(response.value.headers ?? {}).flatMap((name) => {
    const header = locate<HeaderObject>(document, response.pointer, 'headers', name);
    const sent = headers.get(name);
    if (sent === null) return header?.value.required ? [`the header ${name} is missing`] : [];
    const schema = header && locate<{ type?: string }>(document, header.pointer, 'schema');
    if (schema === undefined) return [];
    const isNumber = schema.value.type === 'integer' || schema.value.type === 'number';
    const value = isNumber && /^-?\d+$/.test(sent) ? Number(sent) : sent;
    return checkSchema(schema.pointer, value).map((fault) => `the header ${name}: ${fault}`);
  });
}

/** What the service accepts must be allowed by what it documents. */
function requestFaults(
  document: OpenApiDocument,
  checkSchema: SchemaCheck,
  operationPointer: string,
  { request: { mediaType, json } }: Exchange,
): string[] {
  if (json === undefined || mediaType === undefined) return [];
  const body = locate(document, operationPointer, 'requestBody');
  if (body === undefined) {
    return JSON.stringify(json) === '{}' ? [] : ['a body was accepted, none is documented'];
  }
  // Merge patches have their own media type (RFC 7396 §4), which the document mentions only in prose.
  const described = mediaType === 'application/merge-patch+json' ? 'application/json' : mediaType;
  const content = locate(document, body.pointer, 'content', described);
  if (content === undefined) return [`a body of type ${mediaType} was accepted, which is not documented`];
  const schema = locate(document, content.pointer, 'schema');
  const faults = schema === undefined ? [] : checkSchema(schema.pointer, json);
  return faults.map((fault) => `accepted though the documented request says otherwise: ${fault}`);
}

function unknownPathFaults(checkSchema: SchemaCheck, { pathname, status, body, method }: Exchange): string[] {
  if (!pathname.startsWith(`${apiRootPath}/`) || ownPages.test(pathname.slice(apiRootPath.length))) return [];
  if (status < 400) return ['the document does not know this operation'];
  return method === 'HEAD' ? [] : checkSchema(problemSchema, body);
}

export function mediaTypeOf(contentType: string | null): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() || undefined;
}

type FoundOperation = {
  operation: OperationObject;
  /** Its pointer in the document (RFC 6901). */
  pointer: string;
  /** `getTask GET /tasks/{id}`, for error messages. */
  name: string;
};

type Candidate = FoundOperation & { method: string; pattern: RegExp; parameterCount: number };

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Finds the documented operation of a method and path. */
function createOperationFinder(document: OpenApiDocument, documentUrl: string) {
  const candidates = listCandidates(document, documentUrl).toSorted(
    (left, right) => left.parameterCount - right.parameterCount,
  );
  return (method: string, pathname: string): FoundOperation | undefined => {
    // HEAD is a GET without the body (RFC 9110 §9.3.2).
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
    return candidates.find((candidate) => candidate.method === wanted && candidate.pattern.test(pathname));
  };
}

function listCandidates(document: OpenApiDocument, documentUrl: string): Candidate[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as OperationObject | undefined;
      if (operation === undefined) return [];
      const servers = operation.servers ?? item.servers ?? document.servers ?? [{ url: '/' }];
      const template = serverPath(servers, documentUrl) + path;
      return {
        operation,
        method,
        pointer: `/paths/${escapeKey(path)}/${method}`,
        name: [operation.operationId, method.toUpperCase(), path].filter(Boolean).join(' '),
        pattern: patternOf(template),
        parameterCount: template.split('{').length - 1,
      };
    }),
  );
}

function serverPath([server]: ServerEntry[], documentUrl: string): string {
  return new URL(server?.url ?? '/', documentUrl).pathname.replace(/\/$/, '');
}

/** A resource's own path is appended as it is, slashes included (RFC 9728 §3.1); others are one segment. */
function patternOf(template: string): RegExp {
  const source = template
    .split(/(\{\w+\})/)
    .map((part) => {
      if (part === '{resourcePath}') return '.+';
      return part.startsWith('{') ? '[^/]+' : RegExp.escape(part);
    })
    .join('');
  return new RegExp(`^${source}$`);
}
