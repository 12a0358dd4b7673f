import http, { type RequestOptions } from 'node:http';
import type https from 'node:https';
import {
  createClientDocumentFetch,
  type FetchClientDocument,
} from '#auth-server/clients/fetch-client-document.ts';
import { openInProcessServer } from '#tests/support/in-process-server.ts';

export type ClientDocuments = {
  /** What is served, by its address, whichever host that names. */
  documents: Map<string, object>;
  /** Every address that was asked for. */
  requested: string[];
  /** The fetch of auth-server, led to this machine instead of the address's own host. */
  fetchDocument: FetchClientDocument;
  close(): Promise<void>;
};

/** The web servers on which clients publish their metadata documents. */
export async function openClientDocuments(): Promise<ClientDocuments> {
  const documents = new Map<string, object>();
  const requested: string[] = [];
  const server = await openInProcessServer();
  server.serve((req, res) => {
    const address = `https://${req.headers['x-asked-host']}${req.url}`;
    requested.push(address);
    const document = documents.get(address);
    res.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(document ?? {}));
  });
  const request = ({ hostname, headers, ...options }: RequestOptions) =>
    http.request({
      ...options,
      hostname,
      headers: { ...headers, 'x-asked-host': hostname ?? '' },
      port: server.port,
    });
  return {
    documents,
    requested,
    fetchDocument: createClientDocumentFetch({
      request: request as typeof https.request,
      resolve: async () => ['127.0.0.1'],
      isAllowedAddress: () => true,
    }),
    close: server.close,
  };
}
