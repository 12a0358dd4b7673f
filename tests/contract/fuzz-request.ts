import type { Operation } from './operations.ts';

/** Stands for what only a running service has, such as the id of a task; filled in when the request is sent. */
export type Reference = { $reference: string; pick: number };

export type FuzzRequest = {
  operation: Operation;
  method: string;
  path: Readonly<Record<string, unknown>>;
  query: readonly (readonly [name: string, value: unknown])[];
  /** The name '' of an Authorization or Content-Type sends none. */
  headers: Readonly<Record<string, unknown>>;
  body: unknown;
  /** Takes the place of the body's own spelling. */
  rawBody?: Uint8Array;
  /** Alters the finished path. */
  respell?(path: string): string;
};

export type Wire = {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
};

/** A request whose references are filled in. */
export type FilledRequest = FuzzRequest & { filled: true };

export function reference(kind: string, pick = 0): Reference {
  return { $reference: kind, pick };
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$reference' in value;
}

/** Every reference in a value, wherever it stands. */
export function referencesIn(value: unknown): Reference[] {
  if (isReference(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}

/** The value with each reference replaced. */
export function fillIn(value: unknown, resolved: ReadonlyMap<Reference, unknown>): unknown {
  if (isReference(value)) return resolved.get(value);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, resolved));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, fillIn(member, resolved)]);
  return Object.fromEntries(members);
}

export function toWire(request: FilledRequest): Wire {
  const { operation, respell = (path: string) => path } = request;
  const path = operation.path.replace(/\{(\w+)\}/g, (_braces, name: string) => String(request.path[name]));
  const parameters = new URLSearchParams(request.query.map(([name, value]) => [name, String(value)]));
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === '' || value === undefined ? [] : [[name, String(value)]],
  );
  const query = parameters.size === 0 ? '' : `?${parameters}`;
  return {
    method: request.method,
    target: respell(path) + query,
    headers: Object.fromEntries(headers),
    body: request.rawBody ?? encodeBody(request),
  };
}

export function encodeBody({ body, headers }: Pick<FuzzRequest, 'body' | 'headers'>): Uint8Array | undefined {
  if (body === undefined) return undefined;
  const isForm = String(headers['Content-Type']).includes('urlencoded');
  return Buffer.from(isForm ? encodeForm(body) : JSON.stringify(body));
}

function encodeForm(body: unknown): string {
  const dropped = Object.entries(body ?? {}).flatMap(([name, value]) => (value === null ? [name] : []));
  return new URLSearchParams(formPairs(body).filter(([name]) => !dropped.includes(name))).toString();
}

/**
 * A list is a parameter that comes several times; an object stands for parameters that belong together, of which a
 * `null` beside it takes one out.
 */
function formPairs(body: unknown): [string, string][] {
  return Object.entries(body ?? {}).flatMap(([name, value]): [string, string][] => {
    const values = [value].flat().filter((one) => one !== undefined && one !== null);
    return values.flatMap((one) => (typeof one === 'object' ? formPairs(one) : [[name, String(one)]]));
  });
}

const longestBody = 600;

/** As a command a person can run; of a long body the beginning. Secrets are the test's own. */
export function asCommand({ method, target, headers, body }: Wire, baseUrl: string): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const named = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const text = body === undefined ? '' : Buffer.from(body).toString();
  const data = text.length > longestBody ? `${text.slice(0, longestBody)}… (${body?.length} bytes)` : text;
  return [
    'curl -i -X',
    method,
    quote(baseUrl + target),
    ...named,
    ...(body ? [`--data-binary ${quote(data)}`] : []),
  ].join(' ');
}
