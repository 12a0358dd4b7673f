import { isIP } from 'node:net';
import { codePointLength } from '../validation/text-rules.ts';
import type { EnvReader } from './read-env.ts';

function cidr(entry: string): string | undefined {
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  const isNumber = prefix === undefined || /^(0|[1-9]\d{0,2})$/.test(prefix);
  if (version === 0 || rest.length > 0 || !isNumber || Number(prefix ?? longest) > longest)
    return 'is not an address or CIDR range';
  return prefix === '0' ? 'would exempt every address' : undefined;
}

export type TracingEnv = ReturnType<typeof readTracingEnv>;

export function readServiceEnv(reader: EnvReader) {
  checkDatabaseTls(reader);
  return {
    baseUrl: readBaseUrl(reader),
    host: reader.text('HOST', { fallback: '0.0.0.0' }),
    port: reader.integer('PORT', { min: 1, max: 65_535 }),
    managementPort: reader.integer('MANAGEMENT_PORT', { min: 1, max: 65_535 }),
    databaseUrl: reader.text('DATABASE_URL', { check: databaseUrl }),
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', { fallback: 10, min: 1, max: 500 }),
    databaseWaitMilliseconds: reader.integer('DATABASE_WAIT_MILLISECONDS', {
      fallback: 2_500,
      min: 100,
      max: 60_000,
    }),
    hasPreparedStatements: reader.choice('DATABASE_PREPARED_STATEMENTS', ['on', 'off'], 'on') === 'on',
    redisUrl: reader.text('REDIS_URL', { check: urlOf('redis:', 'rediss:') }),
    trustedProxyHops: reader.integer('TRUSTED_PROXY_HOPS', { fallback: 0, min: 0, max: 10 }),
    addressLimitExempt: reader.list('ADDRESS_LIMIT_EXEMPT', cidr),
    maxConcurrentRequests: reader.integer('MAX_CONCURRENT_REQUESTS', {
      fallback: 500,
      min: 1,
      max: 100_000,
    }),
    accountStorageBytes:
      1_024 *
      1_024 *
      reader.integer('ACCOUNT_STORAGE_MEGABYTES', { fallback: 1_024, min: 1, max: 1_048_576 }),
    shutdownDelayMilliseconds: reader.integer('SHUTDOWN_DELAY_MILLISECONDS', {
      fallback: 1_000,
      min: 0,
      max: 600_000,
    }),
    shutdownGraceMilliseconds: reader.integer('SHUTDOWN_GRACE_MILLISECONDS', {
      fallback: 10_000,
      min: 0,
      max: 600_000,
    }),
    logLevel: reader.choice('LOG_LEVEL', logLevels, 'info'),
    tracing: readTracingEnv(reader),
  };
}

/** Whether revocations wait even if Redis has confirmed them: for a Redis with failover. */
export function readRevocationWait(reader: EnvReader): boolean {
  return reader.choice('REVOCATION_WAIT', ['unconfirmed', 'always'], 'unconfirmed') === 'always';
}

/** Of auth-server and the operator's command. */
export function readKeyEncryptionSecret(reader: EnvReader): string {
  const check = (secret: string) =>
    codePointLength(secret) < 32 ? 'must have at least 32 characters' : undefined;
  return reader.text('KEY_ENCRYPTION_SECRET', { check });
}

/** OpenTelemetry's own variables (specification: OTLP exporter, environment variables of the SDK). */
function readTracingEnv(reader: EnvReader) {
  const isUrl = urlOf('http:', 'https:');
  const endpoint = reader.optional('OTEL_EXPORTER_OTLP_ENDPOINT', isUrl);
  const tracesEndpoint = reader.optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', isUrl);
  const fromBase = endpoint && `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const share = reader.text('OTEL_TRACES_SAMPLER_ARG', { fallback: '1', check: shareOnly });
  return {
    /** Collector's URL (OTLP over HTTP); undefined: tracing is off. */
    tracesUrl: tracesEndpoint ?? fromBase,
    /** Undefined: the name of the service. */
    serviceName: reader.text('OTEL_SERVICE_NAME', { fallback: '' }) || undefined,
    /** Sampling ratio, 0 to 1. */
    sampledShare: Number(share),
  };
}

function shareOnly(value: string): string | undefined {
  return /^(0(\.\d+)?|1(\.0+)?)$/.test(value) ? undefined : 'must be a number from 0 to 1';
}

/** Paths are appended to a base URL. A trailing slash is allowed. */
function originOnly(value: string): string | undefined {
  return /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(value) && URL.canParse(value)
    ? undefined
    : 'must be scheme, host and port alone, such as https://tasks.example.com';
}

/**
 * BASE_URL as an origin is serialised (URL Standard §4.5): lower case, no default port. Issuers and audiences
 * are compared byte by byte, also by clients that serialise them.
 */
export function readBaseUrl(reader: EnvReader, rule: { fallback?: string } = {}): string {
  const isInsecureAllowed = reader.choice('ALLOW_INSECURE_BASE_URL', ['0', '1'], '0') === '1';
  const check = (value: string) => originOnly(value) ?? (isInsecureAllowed ? undefined : secureOrigin(value));
  return URL.parse(reader.text('BASE_URL', { ...rule, check }))?.origin ?? '';
}

/**
 * Passwords and tokens must not be sent unencrypted. Names under localhost resolve to this machine (RFC 6761
 * §6.3).
 */
function secureOrigin(value: string): string | undefined {
  const { protocol, hostname } = new URL(value);
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === 'https:' || isLoopback
    ? undefined
    : 'must use https on a host that is not this machine, unless ALLOW_INSECURE_BASE_URL=1';
}

/**
 * Checks PGSSLMODE, which the driver reads itself: with an unknown value it connects without TLS. `require`
 * and `prefer` are not accepted, because the driver treats them differently from libpq.
 */
export function checkDatabaseTls(reader: EnvReader): void {
  reader.exactChoice('PGSSLMODE', ['disable', 'no-verify', 'verify-full'], 'disable');
}

/** Returns the error of a URL in the environment, or undefined. */
export function urlOf(...protocols: string[]): (value: string) => string | undefined {
  return (value) => {
    const isReadable = URL.canParse(value);
    if (!isReadable && protocols.some((protocol) => value.startsWith(`${protocol}//`)))
      return 'cannot be read: in user and password «/» is written as %2F, «?» as %3F, «#» as %23, «@» as %40';
    if (!isReadable || !protocols.includes(new URL(value).protocol))
      return `must be a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    return isDecodable(value) ? undefined : 'must have a «%» that stands for itself written as %25';
  };
}

/**
 * The URL of a database. Parameters are refused: they are not read, so `?sslmode=require` would have no
 * effect.
 */
export function databaseUrl(value: string): string | undefined {
  const fault = urlOf('postgres:', 'postgresql:')(value);
  if (fault !== undefined) return fault;
  const { pathname, search, hash } = new URL(value);
  if (search !== '')
    return 'must have no parameters after «?»; for TLS set PGSSLMODE=verify-full and NODE_EXTRA_CA_CERTS';
  return /^\/[^/]+$/.test(pathname) && hash === ''
    ? undefined
    : 'must end with the name of a database, such as postgres://host/database';
}

/** The drivers decode parts of a URL, and some hang on invalid encoding. */
function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
