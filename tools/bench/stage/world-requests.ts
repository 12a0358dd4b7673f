import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { encodeRequest, type RequestParts } from '../measure/http-request.ts';
import type { Client } from './clients.ts';

/** One request of each client, with its token and from its address. Paths are below the API's root. */
export function requestsOf(
  clients: readonly Client[],
  partsFor: (client: Client, index: number) => Pick<RequestParts, 'method' | 'path' | 'body'>,
): Buffer[] {
  return clients.map((client, index) => {
    const parts = partsFor(client, index);
    const { token, address } = client;
    return encodeRequest({ ...parts, path: apiRootPath + parts.path, token, address });
  });
}
