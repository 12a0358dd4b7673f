import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../logging/logger.ts';

/** Says once that the collector is away, and once that it is back. */
export function quietExporter(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS;
        if (hasFailed && !isFailing) {
          logger.warn({ err: result.error }, 'traces can’t be delivered: they are dropped until they can');
        }
        if (!hasFailed && isFailing) logger.info('traces are delivered again');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
