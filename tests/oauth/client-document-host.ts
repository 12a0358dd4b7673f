import http, {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { ExecutionContext } from 'ava';
import {
  type ClientDocumentFetchOptions,
  createClientDocumentFetch,
  type FetchClientDocument,
} from '#auth-server/clients/fetch-client-document.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';

export type DocumentHost = {
  /** Counts also what never became a request. */
  connections: number;
  requests: { url: string; headers: IncomingHttpHeaders }[];
  /** A URL of this host; it resolves to it by `reachHost` alone. */
  urlOf(path: string): URL;
  /** Answers like this from now on. */
  answerWith(answer: RequestListener): void;
  /** Nobody listens any more. */
  close(): Promise<void>;
};

/** Somebody's web server, without TLS; until told otherwise it serves a document of every URL. */
export async function openDocumentHost(t: ExecutionContext): Promise<DocumentHost> {
  let answer: RequestListener = (req, res) => sendDocument(req, res);
  const server = http.createServer((req, res) => {
    host.requests.push({ url: req.url ?? '', headers: req.headers });
    answer(req, res);
  });
  server.on('connection', () => {
    host.connections += 1;
  });
  const { port, close } = await listenOnFreePort(server);
  const host: DocumentHost = {
    connections: 0,
    requests: [],
    urlOf: (path) => new URL(`https://client.example:${port}${path}`),
    answerWith(next) {
      answer = next;
    },
    close,
  };
  t.teardown(close);
  return host;
}

/** Fetches over plain HTTP from loopback, which the real one never would. */
export function reachHost(options: ClientDocumentFetchOptions = {}): FetchClientDocument {
  return createClientDocumentFetch({
    request: http.request,
    resolve: async () => ['127.0.0.1'],
    isAllowedAddress: () => true,
    ...options,
  });
}

export function sendDocument(
  req: IncomingMessage,
  res: ServerResponse,
  headers: Record<string, string> = {},
  members: object = {},
): void {
  const clientId = `https://${req.headers.host}${req.url}`;
  res.writeHead(200, { 'Content-Type': 'application/json', ...headers });
  res.end(JSON.stringify({ client_id: clientId, client_name: 'Example', ...members }));
}
