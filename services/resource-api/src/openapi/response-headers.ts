/** OpenAPI header objects, under the names of the headers. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'Id of this request, `requestId` in errors. Quote it in support requests.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Limit': {
    description:
      'Requests allowed in the time of the limit, a minute unless the operation names another: ' +
      'the tighter of the limits that apply.',
    schema: { type: 'integer', minimum: 0, examples: [120] },
  },
  'RateLimit-Remaining': {
    description: 'Remaining requests of that limit.',
    schema: { type: 'integer', minimum: 0, examples: [119] },
  },
  'RateLimit-Reset': {
    description:
      'Seconds until the oldest counted request leaves the window; on a 429, until the next request' +
      ' is allowed.',
    schema: { type: 'integer', minimum: 0, examples: [60] },
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    required: true,
    schema: { type: 'integer', minimum: 1, examples: [12] },
  },
  'WWW-Authenticate': {
    description:
      'A Bearer challenge (RFC 6750 §3) that names the scopes needed and, as `resource_metadata`, ' +
      'where to learn how to get a token (RFC 9728 §5.1).',
    required: true,
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description:
      'The response of an earlier request with the same `Idempotency-Key`. Absent from the first ' +
      'response.',
    schema: { type: 'string', const: 'true' },
  },
  Allow: {
    description: 'The methods that this path supports.',
    required: true,
    schema: { type: 'string', examples: ['GET, HEAD'] },
  },
  Location: {
    description: 'Target of the redirect.',
    required: true,
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: 'Caching of the response.',
    required: true,
    schema: { type: 'string', examples: ['no-store'] },
  },
  'Access-Control-Allow-Origin': {
    description: 'Pages of every origin may read the response.',
    required: true,
    schema: { type: 'string', const: '*' },
  },
} as const;

export type HeaderName = keyof typeof responseHeaders;

/** References to headers, under their names. */
export type DescribeHeaders = (...further: readonly HeaderName[]) => Record<string, unknown>;

/** The headers of every response of the API, and the further ones of this response. */
export const headersWith: DescribeHeaders = (...further) =>
  unlimitedHeadersWith('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', ...further);

/** The same for a response to a request that no limit counts. */
export const unlimitedHeadersWith: DescribeHeaders = (...further) =>
  Object.fromEntries(
    ['X-Request-Id', ...further].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
