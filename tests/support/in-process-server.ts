import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApiServer, listen } from '#shared/http/run-server.ts';

export type InProcessServer = {
  port: number;
  /** Answers with `app` from now on. */
  serve(app: RequestListener): void;
  close(): Promise<void>;
};

/** Listens on a free port before there is an app, because an app has to be told its address. */
export async function openInProcessServer(): Promise<InProcessServer> {
  let app: RequestListener | undefined;
  const server = createApiServer((req, res) => app?.(req, res));
  await listen(server, 0, '127.0.0.1');
  return {
    port: (server.address() as AddressInfo).port,
    serve(served) {
      app = served;
    },
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
