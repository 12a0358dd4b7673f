import express, { type Express } from 'express';

export type Readiness = { isDraining(): boolean; isReady(): Promise<boolean> };

/** Liveness touches nothing but the event loop: a store that is away must not restart the process. */
export function createManagementApp(readiness: Readiness): Express {
  const app = express().disable('x-powered-by').set('etag', false);
  app.get('/livez', (_req, res) => {
    res.json({ status: 'alive' });
  });
  app.get('/readyz', async (_req, res) => {
    const ready = !readiness.isDraining() && (await readiness.isReady().catch(() => false));
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
  });
  return app;
}
