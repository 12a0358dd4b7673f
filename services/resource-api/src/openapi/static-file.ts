import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const compress = promisify(gzip);

export type StaticFile = { body: Buffer; contentType: string };

/** Answers with a file that stays the same as long as the process lives; compressed, and once only, when asked to. */
export function serveFile(
  { body, contentType }: StaticFile,
  headers: Readonly<Record<string, string>>,
): RequestHandler {
  const tag = digestOf(body);
  let compressed: Promise<Buffer> | undefined;
  return async (req, res) => {
    const isCompressed = req.acceptsEncodings(['gzip', 'identity']) === 'gzip';
    res.set({ ...headers, 'Content-Type': contentType, Vary: 'Accept-Encoding', ETag: `W/"${tag}"` });
    if (isCompressed) {
      compressed ??= compress(body);
      res.set('Content-Encoding', 'gzip').send(await compressed);
    } else res.send(body);
  };
}

/** Names a content: the same for the same bytes, in every process. */
export function digestOf(...contents: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('base64url').slice(0, 22);
}
