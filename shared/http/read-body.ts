import { type Request, type Response, raw } from 'express';
import { AppError } from '../errors/app-error.ts';
import { invalidField } from '../errors/errors.ts';

export type ReadBody = (req: Request, res: Response) => Promise<Buffer>;

/**
 * Reads a request's body of at most `limitBytes`, whatever its type; empty when none was sent.
 * Throws body_too_large, unsupported_media_type for an unknown Content-Encoding, or validation_error on `body`.
 */
export function createBodyReader(limitBytes: number): ReadBody {
  const readRaw = raw({ limit: limitBytes, type: () => true });
  return (req, res) =>
    new Promise((resolve, reject) => {
      readRaw(req, res, (failure?: unknown) => {
        const bytes: unknown = req.body;
        if (failure !== undefined) reject(bodyError(failure, limitBytes));
        else resolve(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0));
      });
    });
}

function bodyError(failure: unknown, limitBytes: number): AppError {
  const type = failure instanceof Error && 'type' in failure ? failure.type : undefined;
  if (type === 'entity.too.large') {
    const limit = limitBytes >= 1024 * 1024 ? `${limitBytes / 1024 / 1024} MiB` : `${limitBytes / 1024} KiB`;
    const message = `The request body is larger than ${limit}.`;
    return new AppError('body_too_large', { message, headers: { Connection: 'close' } });
  }
  if (type === 'encoding.unsupported') {
    const message = 'The request body has a Content-Encoding that is not supported.';
    return new AppError('unsupported_media_type', { message });
  }
  return invalidField('body', 'The body could not be read to its end.');
}
