import { isIP } from 'node:net';
import { logLevels } from '../logging/log-levels.ts';
import { readBaseUrl } from './base-url.ts';
import { checkDatabaseTls } from './database-tls.ts';
import type { EnvReader } from './read-env.ts';
import { databaseUrl, urlOf } from './url-rules.ts';

function cidr(entry: string): string | undefined {
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  const isNumber = prefix === undefined || /^(0|[1-9]\d{0,2})$/.test(prefix);
  if (version === 0 || rest.length > 0 || !isNumber || Number(prefix ?? longest) > longest)
    return 'is not an address or CIDR range';
  return prefix === '0' ? 'would exempt every address' : undefined;
}

export type TracingEnv = {
  /** Where spans are sent, by OTLP over HTTP; undefined: nothing is traced. */
  tracesUrl: string | undefined;
  /** Undefined: the service's own. */
  serviceName: string | undefined;
  /** The share of requests that is traced, 0 to 1. */
  sampledShare: number;
};

/** The settings that both services read, under the same names and rules (specification of the environment: README). */
export type ServiceEnv = {
  baseUrl: string;
  host: string;
  port: number;
  managementPort: number;
  databaseUrl: string;
  databasePoolSize: number;
  databaseWaitMilliseconds: number;
  databaseKeepsPlans: boolean;
  redisUrl: string;
  redisWaitMilliseconds: number;
  trustedProxyHops: number;
  addressLimitExempt: string[];
  maxConcurrentRequests: number;
  shutdownDelayMilliseconds: number;
  shutdownGraceMilliseconds: number;
  logLevel: (typeof logLevels)[number];
  tracing: TracingEnv;
};

export function readServiceEnv(reader: EnvReader): ServiceEnv {
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
    databaseKeepsPlans: reader.choice('DATABASE_PREPARED_STATEMENTS', ['on', 'off'], 'on') === 'on',
    redisUrl: reader.text('REDIS_URL', { check: urlOf('redis:', 'rediss:') }),
    redisWaitMilliseconds: reader.integer('REDIS_WAIT_MILLISECONDS', { fallback: 50, min: 10, max: 60_000 }),
    trustedProxyHops: reader.integer('TRUSTED_PROXY_HOPS', { fallback: 0, min: 0, max: 10 }),
    addressLimitExempt: reader.list('ADDRESS_LIMIT_EXEMPT', cidr),
    maxConcurrentRequests: reader.integer('MAX_CONCURRENT_REQUESTS', {
      fallback: 500,
      min: 1,
      max: 100_000,
    }),
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

/** OpenTelemetry's own variables (specification: OTLP exporter, environment variables of the SDK). */
function readTracingEnv(reader: EnvReader): TracingEnv {
  const isUrl = urlOf('http:', 'https:');
  const endpoint = reader.optional('OTEL_EXPORTER_OTLP_ENDPOINT', isUrl);
  const tracesEndpoint = reader.optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', isUrl);
  const fromBase = endpoint && `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const share = reader.text('OTEL_TRACES_SAMPLER_ARG', { fallback: '1', check: shareOnly });
  return {
    tracesUrl: tracesEndpoint ?? fromBase,
    serviceName: reader.text('OTEL_SERVICE_NAME', { fallback: '' }) || undefined,
    sampledShare: Number(share),
  };
}

function shareOnly(value: string): string | undefined {
  return /^(0(\.\d+)?|1(\.0+)?)$/.test(value) ? undefined : 'must be a number from 0 to 1';
}
