import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';

/** An Express request in the form of the Fetch standard; its body has been read. `signal`: the client is gone. */
export function toWebRequest(req: ExpressRequest, url: string, body: unknown, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(req.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  return new Request(url, { method: req.method, headers, body: JSON.stringify(body), signal });
}

/**
 * Sends the response on, as it comes, and at once: what there is of it fills the process in any case, and `take` is
 * told how much. Headers that were set before count: nothing here may be kept by a cache.
 */
export async function sendWebResponse(
  res: ExpressResponse,
  response: Response,
  take: (bytes: number) => void,
): Promise<void> {
  res.status(response.status);
  for (const [name, value] of response.headers) {
    if (!res.hasHeader(name)) res.setHeader(name, value);
  }
  if (response.body === null) {
    res.end();
    return;
  }
  res.flushHeaders();
  for await (const bytes of response.body) {
    if (res.destroyed) return;
    res.write(bytes);
    take(bytes.byteLength);
  }
  res.end();
}
