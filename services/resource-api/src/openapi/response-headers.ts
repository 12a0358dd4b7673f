/** OpenAPI header objects, under the names of the headers. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'Names this request; the same as `requestId` in an error. Quote it in support requests.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Limit': {
    description:
      'Requests allowed in the time of the limit, a minute unless the operation names another: the tighter of the ' +
      'limits that apply.',
    schema: { type: 'integer', minimum: 0, examples: [120] },
  },
  'RateLimit-Remaining': {
    description: 'Requests left of that limit at this moment.',
    schema: { type: 'integer', minimum: 0, examples: [119] },
  },
  'RateLimit-Reset': {
    description:
      'Seconds until the oldest request that counts leaves the time of that limit and makes room for one more; on a ' +
      '429, until the next request is allowed.',
    schema: { type: 'integer', minimum: 0, examples: [60] },
  },
  'Retry-After': {
    description: 'Whole seconds to wait before asking again.',
    required: true,
    schema: { type: 'integer', minimum: 1, examples: [12] },
  },
  'WWW-Authenticate': {
    description:
      'A Bearer challenge (RFC 6750 §3) that names the scopes needed and, as `resource_metadata`, where to learn how to ' +
      'get a token (RFC 9728 §5.1).',
    required: true,
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description:
      'This is the answer to an earlier request with the same `Idempotency-Key`, and nothing was done again. Absent ' +
      'from a first answer.',
    schema: { type: 'string', const: 'true' },
  },
  Allow: {
    description: 'The methods this path answers.',
    required: true,
    schema: { type: 'string', examples: ['GET, HEAD'] },
  },
  Location: {
    description: 'Where the browser is sent.',
    required: true,
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: 'Whether, and for how many seconds, the answer may be kept.',
    required: true,
    schema: { type: 'string', examples: ['no-store'] },
  },
  'Access-Control-Allow-Origin': {
    description: 'Pages of every origin may read the answer.',
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
