import type { IncomingHttpHeaders } from 'node:http';
import { type PublicRequestOptions, requestPublicHost } from './request-public-host.ts';

/** A document and the headers of its response. */
export type RequestedDocument = { document: object; headers: IncomingHttpHeaders };

const wanted = {
  accept: 'application/json',
  mediaType: /^application\/([\w.+-]+\+)?json[ \t]*(;|$)/i,
  /** draft-ietf-oauth-client-id-metadata-document §6.6. */
  maximumBytes: 5 * 1024,
};
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Fetches a client metadata document. Throws UnreachableHostError, and an Error for a response that is not such a document. */
export async function requestClientDocument(
  url: URL,
  options: PublicRequestOptions,
): Promise<RequestedDocument> {
  const { body, headers } = await requestPublicHost(url, wanted, options);
  return { document: parseDocument(body, url.href), headers };
}

function parseDocument(body: Buffer, clientId: string): object {
  const document: unknown = JSON.parse(utf8.decode(body));
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new Error('it is no JSON object');
  }
  if (!('client_id' in document) || document.client_id !== clientId)
    throw new Error('it is of another client_id');
  return document;
}
