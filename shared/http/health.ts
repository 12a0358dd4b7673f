import express, { type Express } from 'express';

export type ServiceState =
  /** `waitingFor` contains no address and no reason. */
  { status: 'starting'; waitingFor?: string } | { status: 'ready' } | { status: 'draining' };

/** The text of `/metrics` and its media type. */
export type MetricsSource = { contentType: string; read(): Promise<string> };

/**
 * Neither liveness nor readiness checks a store: if a shared one fails, the process must not restart, and
 * clients should get our 503 instead of the load balancer's error.
 */
export function createManagementApp(state: () => ServiceState, metrics: MetricsSource): Express {
  // In other environments Express responds with stack traces.
  const app = express().disable('x-powered-by').set('etag', false).set('env', 'production');
  app.get('/livez', (_req, res) => {
    res.json({ status: 'alive' });
  });
  app.get('/readyz', (_req, res) => {
    const present = state();
    res.status(present.status === 'ready' ? 200 : 503).json(present);
  });
  app.get('/metrics', async (_req, res) => {
    res.type(metrics.contentType).send(await metrics.read());
  });
  return app;
}
