import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Request, Response } from 'express';
import { AppError } from '../errors/app-error.ts';
import { invalidField } from '../errors/errors.ts';

export type ReadBody = (req: Request, res: Response) => Promise<Buffer>;

const decoders = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/**
 * Reads a request's body of at most `limitBytes`, as it is sent and as it unfolds, whatever its type; empty when none
 * was sent. Throws body_too_large as soon as that is certain, unsupported_media_type for an unknown Content-Encoding,
 * or validation_error on `body`.
 */
export function createBodyReader(limitBytes: number): ReadBody {
  return async (req, res) => {
    const { headers } = req;
    const announced = headers['content-length'];
    if (announced === undefined && headers['transfer-encoding'] === undefined) return Buffer.alloc(0);
    const createDecoder = findDecoder(headers['content-encoding']);
    if (Number(announced) > limitBytes) throw tooLarge(limitBytes);
    if (asksToContinue(req)) res.writeContinue();
    return collect(req, createDecoder?.(), limitBytes);
  };
}

function findDecoder(contentEncoding = 'identity'): (() => Transform) | undefined {
  const encoding = contentEncoding.toLowerCase();
  const found = decoders.get(encoding);
  if (found !== undefined || encoding === 'identity') return found;
  const message = 'The request body has a Content-Encoding that is not supported.';
  throw new AppError('unsupported_media_type', { message });
}

/** A client that waits to hear whether its body is wanted (RFC 9110 §10.1.1); HTTP/1.0 knows no such answer. */
function asksToContinue({ headers: { expect = '' }, httpVersion }: Request): boolean {
  return httpVersion === '1.1' && expect.toLowerCase().includes('100-continue');
}

async function collect(req: Request, decoder: Transform | undefined, limitBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const fail = () => reject(invalidField('body', 'The body could not be read to its end.'));
  const pieces: Buffer[] = [];
  const receive = (stream: Readable, keep: (piece: Buffer) => void): void => {
    let length = 0;
    stream.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > limitBytes) reject(tooLarge(limitBytes));
      else keep(piece);
    });
  };
  if (req.destroyed) fail();
  req.once('close', () => {
    if (!req.readableEnded) fail();
  });
  decoder?.on('error', fail);
  const unfolded = decoder ? req.pipe(decoder) : req;
  // A compressed body may unfold to nothing for ever: it is counted as it comes, too.
  if (decoder) receive(req, () => undefined);
  receive(unfolded, (piece) => pieces.push(piece));
  unfolded.once('end', () => resolve(Buffer.concat(pieces)));
  try {
    return await promise;
  } finally {
    // What still comes, behind the end of the compressed data or of a body that was refused, is passed over.
    req.unpipe();
    decoder?.destroy();
    req.resume();
  }
}

function tooLarge(limitBytes: number): AppError {
  const limit = limitBytes >= 1024 * 1024 ? `${limitBytes / 1024 / 1024} MiB` : `${limitBytes / 1024} KiB`;
  return new AppError('body_too_large', { message: `The request body is larger than ${limit}.` });
}
