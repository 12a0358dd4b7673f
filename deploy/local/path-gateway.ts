import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { notFound, serviceUnavailable } from '#shared/errors/errors.ts';
import { ownerOfPath, type ServiceName } from '#shared/http/path-ownership.ts';
import { forwardedRequestHeaders } from './forwarded-headers.ts';
import { sendError } from './gateway-answer.ts';
import { proxyRequest } from './proxy-request.ts';
import { parseRequestTarget } from './request-target.ts';

export type PathGatewayOptions = {
  port: number;
  /** Every one of them is listened on; see `listenAddresses`. */
  hosts: readonly string[];
  /** The port where the service answers at this moment; undefined while it is down. */
  portOf(service: ServiceName): number | undefined;
  /** Proxies in front of the gateway whose X-Forwarded-Proto and -Host are believed when there are any. */
  trustedProxyHops: number;
};

export type PathGateway = {
  /** Stops accepting, lets the answers under way finish, and cuts off what takes too long. */
  close(): Promise<void>;
};

const DRAIN_MILLISECONDS = 5_000;
const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 250,
};

/** One address for both services: each request goes to the owner of its path. Rejects with EADDRINUSE when taken. */
export async function openPathGateway(options: PathGatewayOptions): Promise<PathGateway> {
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo' });
  const servers = options.hosts.map(() => createGatewayServer(options, agent));
  try {
    for (const [index, host] of options.hosts.entries()) await listen(servers[index], options.port, host);
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
  return {
    close: async () => {
      await Promise.all(servers.map(drain));
      agent.destroy();
    },
  };
}

function createGatewayServer(options: PathGatewayOptions, agent: Agent): Server {
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    response.once('close', () => {
      if (!server.listening) request.socket.end();
    });
    route(request, response, options, agent);
  });
  // A connection that could not be accepted (no descriptors left) must not end the gateway.
  server.on('error', () => undefined);
  return server;
}

function route(
  request: IncomingMessage,
  response: ServerResponse,
  options: PathGatewayOptions,
  agent: Agent,
): void {
  const target = parseRequestTarget(request.url ?? '');
  const owner = target && ownerOfPath(target.pathname);
  if (!target || !owner) {
    sendError(response, notFound());
    return;
  }
  const port = options.portOf(owner);
  if (port === undefined) {
    sendError(response, serviceUnavailable(undefined));
    return;
  }
  const host = target.authority ?? request.headers.host;
  const headers = forwardedRequestHeaders(request, { host, trustsProxy: options.trustedProxyHops > 0 });
  proxyRequest(request, response, { port, agent, path: target.originForm, headers });
}

function listen(server: Server | undefined, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server?.once('error', reject);
    server?.listen({ port, host, ipv6Only: host.includes(':') && host !== '::' }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function drain(server: Server): Promise<void> {
  const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_MILLISECONDS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cutOff);
}
