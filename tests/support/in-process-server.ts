import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApiServer } from '#shared/http/run-server.ts';

type Listening = {
  port: number;
  /** Aborts requests in progress. */
  close(): Promise<void>;
};

export type InProcessServer = Listening & {
  /** Serves `app` from now on. */
  serve(app: RequestListener): void;
};

/** Listens on a free port before the app exists, since the app needs its address. */
export async function openInProcessServer(): Promise<InProcessServer> {
  let app: RequestListener | undefined;
  const listening = await listenOnFreePort(createApiServer((req, res) => app?.(req, res)));
  return {
    ...listening,
    serve(served) {
      app = served;
    },
  };
}

export async function listenOnFreePort(server: Server, host = '127.0.0.1'): Promise<Listening> {
  await once(server.listen(0, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
