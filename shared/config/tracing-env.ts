import type { EnvReader } from './read-env.ts';
import { urlOf } from './url-rules.ts';

export type TracingEnv = {
  /** Where spans are sent, by OTLP over HTTP; undefined: nothing is traced. */
  tracesUrl: string | undefined;
  /** Undefined: the service's own. */
  serviceName: string | undefined;
  /** The share of requests that is traced, 0 to 1. */
  sampledShare: number;
};

/** OpenTelemetry's own variables (specification: OTLP exporter, environment variables of the SDK). */
export function readTracingEnv(reader: EnvReader): TracingEnv {
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
