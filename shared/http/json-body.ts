import type { Request, Response } from 'express';
import { AppError, type FieldErrors } from '../errors/app-error.ts';
import { invalidField, validationFailed } from '../errors/errors.ts';
import { createBodyReader } from './read-body.ts';

/** 100,000 code points at their longest JSON spelling (`\ud83d\ude00`, 12 bytes) and room for the rest. */
export const bodyLimitBytes = 2 * 1024 * 1024;
const maximumDepth = 32;
/** More than twice what the longest legal checklist holds: checking a body must stay cheaper than sending it. */
const usualMaximumValues = 2_000;

const readBytes = createBodyReader(bodyLimitBytes);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Reads a request's JSON body. `undefined` when none was sent.
 * Throws body_too_large, unsupported_media_type, or validation_error on `body` (malformed JSON or UTF-8, too deep or too large) or on the field that holds U+0000 or a lone surrogate, which PostgreSQL can't keep unchanged.
 */
export async function readJsonBody(
  req: Request,
  res: Response,
  mediaTypes: readonly string[],
  maximumValues = usualMaximumValues,
): Promise<unknown> {
  const bytes = await readBytes(req, res);
  if (bytes.length === 0) return undefined;
  requireMediaType(req.headers['content-type'], mediaTypes);
  const value = parseJson(bytes);
  inspectText(value, maximumValues);
  return value;
}

function requireMediaType(header: string | undefined, accepted: readonly string[]): void {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  const isUtf8 = charsets.every((charset) => /^charset=("?)utf-?8\1$/.test(charset));
  if (accepted.includes(type) && isUtf8) return;
  throw new AppError('unsupported_media_type', {
    message: `The request body must be JSON in UTF-8, sent with Content-Type: ${accepted.join(' or ')}.`,
  });
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalidField('body', 'The body is not valid UTF-8.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('body', 'The body is not valid JSON.');
  }
}

type Visited = { value: unknown; field: string; depth: number };

/** Walks the value with a stack of its own: a recursive walk would overflow on the nesting it looks for. */
function inspectText(root: unknown, maximumValues: number): void {
  const errors: FieldErrors = {};
  const pending: Visited[] = [{ value: root, field: 'body', depth: 0 }];
  let found = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, field, depth } = next;
    found += typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
    if (found > maximumValues)
      throw invalidField('body', `The body holds more than ${maximumValues} values.`);
    if (depth > maximumDepth)
      throw invalidField('body', `The body is nested deeper than ${maximumDepth} levels.`);
    if (typeof value === 'string' && !isStorableText(value)) errors[field] = [malformedText(field)];
    if (typeof value === 'object' && value !== null) pending.push(...membersOf(value, field, depth));
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
}

function membersOf(value: object, field: string, depth: number): Visited[] {
  const isTopLevel = depth === 0 && !Array.isArray(value);
  return Object.entries(value).map(([key, child]) => {
    if (!isStorableText(key))
      throw invalidField('body', 'The body has a member name that is not well-formed text.');
    return { value: child, field: isTopLevel ? key : field, depth: depth + 1 };
  });
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function malformedText(field: string): string {
  return `${field} must be well-formed Unicode text without U+0000.`;
}
