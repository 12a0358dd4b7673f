import type { TracingEnv } from '../config/service-env.ts';
import type { Logger } from '../logging/logger.ts';
import { type Tracing, withoutTracing } from './tracing.ts';

/** Loads OpenTelemetry only if a collector is configured. */
export async function startTracing(service: string, env: TracingEnv, logger: Logger): Promise<Tracing> {
  const { tracesUrl, sampledShare, serviceName = service } = env;
  if (tracesUrl === undefined) return withoutTracing;
  const { createOtlpTracing } = await import('./otlp-tracing.ts');
  return createOtlpTracing({ tracesUrl, sampledShare, serviceName, logger });
}
