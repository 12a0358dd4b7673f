import { promisify } from 'node:util';
import bodyParser from 'body-parser';
import type { Request, Response } from 'express';
import { AppError, type FieldErrors } from '../errors/app-error.ts';
import { invalidField, validationFailed } from '../errors/errors.ts';
import { isStorableText } from '../validation/text-rules.ts';

/** 100,000 code points in their longest JSON form (`\ud83d\ude00`, 12 bytes), and the other fields. */
export const bodyLimitBytes = 2 * 1024 * 1024;
const maximumDepth = 32;
/** More than twice the values of the longest valid checklist: limits the cost of checking a body. */
const usualMaximumValues = 2_000;

export function queryOf(req: Request): URLSearchParams {
  const start = req.originalUrl.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : req.originalUrl.slice(start + 1));
}

/**
 * Reads a JSON body; `undefined` if none was sent. Throws body_too_large, unsupported_media_type, or
 * validation_error: on `body` (malformed JSON or UTF-8, too deep, too many values) or on the field with text
 * that PostgreSQL cannot store (U+0000, a lone surrogate).
 */
export async function readJsonBody(
  req: Request,
  res: Response,
  mediaTypes: readonly string[],
  maximumValues = usualMaximumValues,
): Promise<unknown> {
  const bytes = await readJsonBytes(req, res);
  if (bytes.length === 0) return undefined;
  requireJson(req.headers['content-type'], mediaTypes);
  requireBounded(bytes, maximumValues);
  const value = parseJson(bytes);
  inspectText(value);
  return value;
}

type ReadForm = (req: Request, res: Response) => Promise<URLSearchParams>;

/**
 * Returns a reader of forms of at most `limitBytes`; without a body it returns an empty form. It throws
 * body_too_large, unsupported_media_type, or validation_error: on `body`, or on the field with U+0000.
 */
export function createFormReader(limitBytes: number): ReadForm {
  const readBytes = createBodyReader(limitBytes);
  return async (req, res) => parseForm(await readBytes(req, res), req.headers['content-type']);
}

type ReadBody = (req: Request, res: Response) => Promise<Buffer>;

/** Reads bytes: body-parser's JSON and forms silently replace invalid UTF-8. */
function createBodyReader(limitBytes: number): ReadBody {
  const parse = promisify(bodyParser.raw({ limit: limitBytes, type: () => true }));
  return async (req, res) => {
    // body-parser would read the whole body before it refuses it.
    if (Number(req.headers['content-length']) > limitBytes) throw tooLarge(limitBytes);
    await parse(req, res).catch((error: unknown) => {
      throw toBodyError(error, limitBytes);
    });
    // body-parser treats an aborted body as none.
    if (!req.complete) throw unreadable();
    const bytes: unknown = req.body;
    return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
  };
}

/** By the property `type` of body-parser's errors. */
function toBodyError(error: unknown, limitBytes: number): AppError {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return tooLarge(limitBytes);
  if (type !== 'encoding.unsupported') return unreadable();
  const message = 'The request body has a Content-Encoding that is not supported.';
  return new AppError('unsupported_media_type', { message });
}

function tooLarge(limitBytes: number): AppError {
  const limit = limitBytes >= 1024 * 1024 ? `${limitBytes / 1024 / 1024} MiB` : `${limitBytes / 1024} KiB`;
  return new AppError('body_too_large', { message: `The request body is larger than ${limit}.` });
}

function unreadable(): AppError {
  return invalidField('body', 'The body could not be read to its end.');
}

const readJsonBytes = createBodyReader(bodyLimitBytes);

function requireJson(header: string | undefined, accepted: readonly string[]): void {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  const isUtf8 = charsets.every((charset) => /^charset=("?)utf-?8\1$/.test(charset));
  if (accepted.includes(type) && isUtf8) return;
  throw new AppError('unsupported_media_type', {
    message: `The request body must be JSON in UTF-8, sent with Content-Type: ${accepted.join(' or ')}.`,
  });
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Before JSON.parse, which a million brackets or values would keep busy for most of a second. */
function requireBounded(bytes: Buffer, maximumValues: number): void {
  const { length } = bytes;
  let [depth, values] = [0, 0];
  for (let index = 0; index < length; index += 1) {
    switch (bytes[index]) {
      case quote:
        index = endOfText(bytes, index);
        break;
      case openingBracket:
      case openingBrace:
        depth += 1;
        values += 1;
        break;
      case closingBracket:
      case closingBrace:
        depth -= 1;
        break;
      case comma:
        values += 1;
        break;
    }
    if (depth > maximumDepth)
      throw invalidField('body', `The body is nested deeper than ${maximumDepth} levels.`);
    if (values > maximumValues)
      throw invalidField('body', `The body holds more than ${maximumValues} values.`);
  }
}

/** Where the text ends that begins at `start`. */
function endOfText(bytes: Buffer, start: number): number {
  const { length } = bytes;
  let index = start + 1;
  while (index < length) {
    const mark = bytes[index];
    if (mark === quote) break;
    index += mark === backslash ? 2 : 1;
  }
  return index;
}

function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('body', 'The body is not valid JSON.');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidField('body', 'The body is not valid UTF-8.');
  }
}

/** Throws for text that cannot be stored, with the name of its top-level field. */
function inspectText(root: unknown): void {
  const errors: FieldErrors = {};
  const inspectMembers = (value: object, field?: string): void => {
    for (const [name, child] of Object.entries(value)) {
      if (!isStorableText(name))
        throw invalidField('body', 'The body has a member name that is not well-formed text.');
      inspect(child, field ?? name);
    }
  };
  const inspect = (value: unknown, field?: string): void => {
    if (typeof value === 'string' && !isStorableText(value)) errors[field ?? 'body'] = [malformedText(field)];
    if (typeof value === 'object' && value !== null)
      inspectMembers(value, Array.isArray(value) ? (field ?? 'body') : field);
  };
  inspect(root);
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
}

function malformedText(field = 'body'): string {
  return `${field} must be well-formed Unicode text without U+0000.`;
}

const formMediaType = /^application\/x-www-form-urlencoded\s*(;\s*charset=("?)utf-?8\2\s*)?$/i;

function parseForm(bytes: Buffer, contentType = ''): URLSearchParams {
  if (bytes.length === 0) return new URLSearchParams();
  if (!formMediaType.test(contentType)) {
    throw new AppError('unsupported_media_type', {
      message: 'The request body must be a form, sent with Content-Type: application/x-www-form-urlencoded.',
    });
  }
  const form = new URLSearchParams(requirePercentEncoded(decodeUtf8(bytes)));
  for (const [name, value] of form) {
    if (`${name}${value}`.includes('\0'))
      throw invalidField(name.replaceAll('\0', ''), 'U+0000 is not text.');
  }
  return form;
}

/** URLSearchParams would replace invalid UTF-8 by U+FFFD. */
function requirePercentEncoded(text: string): string {
  try {
    decodeURIComponent(text.replaceAll('+', ' '));
    return text;
  } catch {
    throw invalidField('body', 'The form is not valid percent-encoded UTF-8.');
  }
}
