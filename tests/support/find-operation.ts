import {
  escapeKey,
  type OpenApiDocument,
  type OperationObject,
  type ServerEntry,
} from './openapi-document.ts';

export type FoundOperation = {
  operation: OperationObject;
  /** Where it stands in the document (RFC 6901). */
  pointer: string;
  /** `getTask GET /tasks/{id}`, for error messages. */
  name: string;
};

type Candidate = FoundOperation & { method: string; pattern: RegExp; parameterCount: number };

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The finder of the operation that a document describes for a method and a path of the host. */
export function createOperationFinder(document: OpenApiDocument, documentUrl: string) {
  const candidates = listCandidates(document, documentUrl).toSorted(
    (left, right) => left.parameterCount - right.parameterCount,
  );
  return (method: string, pathname: string): FoundOperation | undefined => {
    // A HEAD request is a GET whose body is kept back (RFC 9110 §9.3.2).
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

/** A resource's own path is appended as it is, slashes included (RFC 9728 §3.1); other parameters are one segment. */
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
