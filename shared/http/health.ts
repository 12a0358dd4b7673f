import express, { type Express } from 'express';
import type { MetricsSource } from './metrics-source.ts';

export type ServiceState =
  /** `waitingFor` names a thing, never an address or a reason. */
  { status: 'starting'; waitingFor?: string } | { status: 'ready' } | { status: 'draining' };

export type ManagementOptions = {
  state(): ServiceState;
  metrics?: MetricsSource | undefined;
};

/**
 * Liveness touches nothing but the event loop: a store that is away must not restart the process. Neither does
 * readiness ask a store: one that all replicas share would unready them all at once, and callers would get the load
 * balancer's error in place of our own 503.
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
