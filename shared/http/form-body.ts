import type { Request, Response } from 'express';
import { AppError } from '../errors/app-error.ts';
import { invalidField } from '../errors/errors.ts';
import { createBodyReader } from './read-body.ts';

export type ReadForm = (req: Request, res: Response) => Promise<URLSearchParams>;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const formMediaType = /^application\/x-www-form-urlencoded\s*(;\s*charset=("?)utf-?8\2\s*)?$/i;

/**
 * Reads a form of at most `limitBytes`; an empty one when no body was sent.
 * Throws body_too_large, unsupported_media_type, or validation_error on `body`, or on the field that holds U+0000
 * or a malformed percent-encoding, neither of which may be changed silently.
 */
export function createFormReader(limitBytes: number): ReadForm {
  const readBytes = createBodyReader(limitBytes);
  return async (req, res) => parseForm(await readBytes(req, res), req.headers['content-type']);
}

function parseForm(bytes: Buffer, contentType = ''): URLSearchParams {
  if (bytes.length === 0) return new URLSearchParams();
  if (!formMediaType.test(contentType)) {
    throw new AppError('unsupported_media_type', {
      message: 'The request body must be a form, sent with Content-Type: application/x-www-form-urlencoded.',
    });
  }
  const form = new URLSearchParams(decodeForm(bytes));
  for (const [name, value] of form) {
    if (`${name}${value}`.includes('\0'))
      throw invalidField(name.replaceAll('\0', ''), 'U+0000 is not text.');
  }
  return form;
}

/** URLSearchParams would put U+FFFD in the place of what is no UTF-8. */
function decodeForm(bytes: Buffer): string {
  try {
    const text = utf8.decode(bytes);
    decodeURIComponent(text.replaceAll('+', ' '));
    return text;
  } catch {
    throw invalidField('body', 'The form is not valid percent-encoded UTF-8.');
  }
}
