import type { RequestHandler } from 'express';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { onStreamOpen } from '../http/open-stream.ts';
import { routeOf } from '../http/request-route.ts';

/** Values of the label `method`; all others are `other`. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

export function methodLabel(method: string): string {
  return methods.has(method) ? method : 'other';
}

/** In seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts and times every request. Must run after `assignRoute`. */
export function measureRequests(registry: Registry): RequestHandler {
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Completed requests; the status is «aborted» if the client disconnected before the response.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: durationBuckets,
    registers,
  });
  const inProgress = new Gauge({
    name: 'http_requests_in_progress',
    help: 'Requests in progress.',
    registers,
  });
  return (req, res, next) => {
    const startedAt = performance.now();
    const labels = { method: methodLabel(req.method), route: routeOf(res) };
    let isStream = false;
    inProgress.inc();
    onStreamOpen(res, () => {
      isStream = true;
      inProgress.dec();
    });
    res.once('close', () => {
      if (!isStream) inProgress.dec();
      const status = res.writableFinished ? String(res.statusCode) : 'aborted';
      requests.inc({ ...labels, status });
      if (!isStream) duration.observe(labels, (performance.now() - startedAt) / 1_000);
    });
    next();
  };
}
