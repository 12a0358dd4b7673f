import type { RequestHandler } from 'express';
import { type DatabaseObserver, statementShape } from '../database/database-observer.ts';

type SpanAttributes = Readonly<Record<string, string | number>>;

/** Ends a span, with `failure` if there was one. */
export type EndSpan = (failure?: unknown) => void;

/** Traces requests. Never fails, and never delays a request. */
export type Tracing = {
  /** Starts the span of a request. Must run after `assignRoute`. */
  requests: RequestHandler;
  /** Trace id of the current request; undefined outside of one. */
  traceId(): string | undefined;
  /**
   * Starts a child of the current span. Attributes are computed only if it is recorded, and must not contain
   * user data.
   */
  startSpan(name: string, attributes?: () => SpanAttributes): EndSpan;
  /** Flushes, within two seconds. Never rejects. */
  close(): Promise<void>;
};

export const withoutTracing: Tracing = {
  requests: (_req, _res, next) => next(),
  traceId: () => undefined,
  startSpan: () => () => undefined,
  close: async () => undefined,
};

/** Runs `work` in a child of the current span. */
export function inSpan<Result>(tracing: Tracing, name: string, work: () => Promise<Result>): Promise<Result> {
  return tracing === withoutTracing ? work() : workInSpan(tracing.startSpan(name), work);
}

async function workInSpan<Result>(end: EndSpan, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

const statementLength = 500;

/** Statements as spans: text without values, truncated. */
export function traceStatements(tracing: Tracing): DatabaseObserver {
  if (tracing === withoutTracing) return {};
  return {
    statementSent: (text) =>
      tracing.startSpan('postgresql', () => ({
        'db.system.name': 'postgresql',
        'db.query.text': statementShape(text, statementLength),
      })),
  };
}
