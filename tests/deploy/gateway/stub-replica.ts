import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';

export type StubReplica = {
  address: string;
  requests: IncomingMessage[];
  /** Accepted so far, the probes of readiness left out. */
  connections(): number;
  isReady: boolean;
  /** Stops listening on the public port, and goes on to say that it is ready. */
  refuseConnections(): Promise<void>;
};

type Owner = { teardown(after: () => Promise<void>): void };

/** Stands for a replica of a service, on the ports that the gateway expects. */
export async function startStubReplica(
  owner: Owner,
  address: string,
  listener: RequestListener,
): Promise<StubReplica> {
  let connections = 0;
  const requests: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    requests.push(req);
    listener(req, res);
  });
  server.on('connection', () => {
    connections += 1;
  });
  const replica: StubReplica = {
    address,
    requests,
    connections: () => connections,
    isReady: true,
    refuseConnections: () => close(server),
  };
  const management = createServer((_req, res) => res.writeHead(replica.isReady ? 200 : 503).end());
  for (const [opened, port] of [
    [server, 8080],
    [management, 9090],
  ] as const) {
    opened.listen(port, address);
    await once(opened, 'listening');
    owner.teardown(() => close(opened));
  }
  return replica;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
