import {
  defaultTextMapGetter,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { RequestHandler } from 'express';
import { codeOf } from '../errors/error-code.ts';
import { routeOf } from '../http/request-route.ts';
import type { Logger } from '../logging/logger.ts';
import { readRelease } from '../logging/release.ts';
import { methodLabel } from '../metrics/http-metrics.ts';
import { waitAtMost } from '../time/wait-at-most.ts';
import type { EndSpan, Tracing } from './tracing.ts';

type OtlpTracingOptions = {
  tracesUrl: string;
  serviceName: string;
  sampledShare: number;
  logger: Logger;
};

const exportMilliseconds = 5_000;
const closeMilliseconds = 2_000;
/** Above the queue size spans are dropped. */
const queue = { maxQueueSize: 2_048, maxExportBatchSize: 512, scheduledDelayMillis: 2_000 };

/** Without global state: two services may run in one process. */
export function createOtlpTracing(options: OtlpTracingOptions): Tracing {
  const provider = createProvider(options);
  const tracer = provider.getTracer(options.serviceName);
  const contexts = new AsyncLocalStorageContextManager().enable();
  const current = (): Span | undefined => trace.getSpan(contexts.active());
  return {
    requests: traceRequests(tracer, contexts),
    traceId: () => current()?.spanContext().traceId,
    startSpan(name, attributes) {
      // Outside a request (a sweep) each statement would be a trace of its own.
      if (!current()?.isRecording()) return () => undefined;
      const options = { kind: SpanKind.CLIENT, attributes: attributes?.() };
      return endOf(tracer.startSpan(name, options, contexts.active()));
    },
    async close() {
      await waitAtMost(
        closeMilliseconds,
        provider.shutdown().catch(() => undefined),
      );
      contexts.disable();
    },
  };
}

function createProvider({ tracesUrl, serviceName, sampledShare, logger }: OtlpTracingOptions) {
  const sampled = new TraceIdRatioBasedSampler(sampledShare);
  const exporter = new OTLPTraceExporter({ url: tracesUrl, timeoutMillis: exportMilliseconds });
  return new TracerProvider({
    // A client's `traceparent` does not raise the sampling ratio.
    sampler: new ParentBasedSampler({ root: sampled, remoteParentSampled: sampled }),
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': readRelease().version,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: quietExporter(exporter, logger),
        exportTimeoutMillis: exportMilliseconds,
        ...queue,
      }),
    ],
  });
}

/** Logs once that the collector is unavailable, and once that it has recovered. */
function quietExporter(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isFailing) {
          logger.warn(
            { err: result.error },
            'traces cannot be exported: they are dropped until the collector recovers',
          );
        }
        if (!hasFailed && isFailing) logger.info('traces are exported again');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/**
 * Continues the client's traceparent (W3C Trace Context §3.2); attributes follow OpenTelemetry's HTTP
 * conventions.
 */
function traceRequests(tracer: Tracer, contexts: AsyncLocalStorageContextManager): RequestHandler {
  const propagator = new W3CTraceContextPropagator();
  return (req, res, next) => {
    const parent = propagator.extract(ROOT_CONTEXT, req.headers, defaultTextMapGetter);
    const [method, route] = [methodLabel(req.method), routeOf(res)];
    const attributes = { 'http.request.method': method, 'http.route': route, 'url.scheme': req.protocol };
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    res.once('close', () => {
      span.setAttribute('http.response.status_code', res.statusCode);
      if (res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    contexts.with(isSpanContextValid(span.spanContext()) ? trace.setSpan(parent, span) : parent, next);
  };
}

/** Records only the code of a failure: a driver's message may contain values. */
function endOf(span: Span): EndSpan {
  return (failure) => {
    if (failure !== undefined) {
      const name = failure instanceof Error ? failure.name : typeof failure;
      span.setAttribute('error.type', codeOf(failure) || name);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };
}
