import type { Request, Response } from 'express';
import { createFormReader } from '#shared/http/request-input.ts';
import { OAuthError } from './oauth-error.ts';

const readForm = createFormReader(16 * 1024);

export async function readOAuthForm(req: Request, res: Response): Promise<URLSearchParams> {
  return withoutEmptyValues(await readForm(req, res));
}

/** A parameter without a value counts as omitted (RFC 6749 §3.1 and §3.2). */
export function withoutEmptyValues(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([, value]) => value !== ''));
}

export function requireOnce(form: URLSearchParams, name: string): string {
  const [value, ...others] = form.getAll(name);
  if (value === undefined) throw new OAuthError('invalid_request', `missing required parameter '${name}'`);
  if (others.length > 0) throw new OAuthError('invalid_request', `'${name}' must not be sent twice`);
  return value;
}
