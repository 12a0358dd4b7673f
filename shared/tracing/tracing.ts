import type { RequestHandler } from 'express';
import { type DatabaseObserver, statementShape } from '../database/database-observer.ts';

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** Ends a span; `failure` is what went wrong, if anything did. */
export type EndSpan = (failure?: unknown) => void;

/** Follows a request through the process. Never fails, and nothing waits for it. */
export type Tracing = {
  /** Opens the span of a request, in which all that follows runs; `assignRoute` has to come before. */
  requests: RequestHandler;
  /** Of the request under way; undefined outside of one. */
  traceId(): string | undefined;
  /** A span below the one under way. Attributes are asked for if it is recorded; nothing users wrote may be in them. */
  startSpan(name: string, attributes?: () => SpanAttributes): EndSpan;
  /** Sends what is left, within two seconds. Never rejects. */
  close(): Promise<void>;
};

export const withoutTracing: Tracing = {
  requests: (_req, _res, next) => next(),
  traceId: () => undefined,
  startSpan: () => () => undefined,
  close: async () => undefined,
};

/** Runs `work` in a span below the one under way. */
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

/** Enough to know a statement by. */
const statementLength = 500;

/** Statements as spans: their text without values, shortened. */
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
