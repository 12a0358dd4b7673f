import { pipeline } from 'node:stream/promises';
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

/** Streams the response. Headers that were set before win: no cache may keep it. */
export async function sendWebResponse(res: ExpressResponse, response: Response): Promise<void> {
  res.status(response.status);
  for (const [name, value] of response.headers) {
    if (!res.hasHeader(name)) res.setHeader(name, value);
  }
  if (response.body === null) {
    res.end();
    return;
  }
  res.flushHeaders();
  // `pipeline` adds its own to those of logs, metrics and traces.
  res.setMaxListeners(20);
  await pipeline(response.body, res);
}
