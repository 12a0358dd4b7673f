import express, { type Express } from 'express';

export type ServiceState =
  /** `waitingFor` names a thing, never an address or a reason. */
  { status: 'starting'; waitingFor?: string } | { status: 'ready' } | { status: 'draining' };

/** What `/metrics` serves: the text, and its media type. */
export type MetricsSource = { contentType: string; read(): Promise<string> };

export type ManagementOptions = {
  state(): ServiceState;
  metrics?: MetricsSource | undefined;
};

/**
 * Neither liveness nor readiness uses a store. An unavailable one must not restart the process, nor unready all
 * replicas at once: clients would get the load balancer's error in place of our own 503.
 */
export function createManagementApp({ state, metrics }: ManagementOptions): Express {
  // In any other environment Express would answer a failure with its stack.
  const app = express().disable('x-powered-by').set('etag', false).set('env', 'production');
  app.get('/livez', (_req, res) => {
    res.json({ status: 'alive' });
  });
  app.get('/readyz', (_req, res) => {
    const present = state();
    res.status(present.status === 'ready' ? 200 : 503).json(present);
  });
  if (metrics) {
    app.get('/metrics', async (_req, res) => {
      res.type(metrics.contentType).send(await metrics.read());
    });
  }
  return app;
}
