import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { createFormReader } from '#shared/http/request-input.ts';
import type { Context } from '../context.ts';
import { type Html, html } from '../html/html.ts';
import { PageError } from '../html/page-error.ts';
import { readCookie, setCsrfCookie } from './browser-cookies.ts';
import { formToken, isFormToken } from './form-token.ts';

/** Two passwords of the greatest length take 24 KiB, percent-encoded. */
const readForm = createFormReader(64 * 1024);

/** What a response has put into the browser's `csrf` cookie: all forms of a page must agree on it. */
const newSecrets = new WeakMap<Response, string>();

/**
 * The hidden field of a form that posts to `action`, a path without a query. Sets the browser's cookie when it has
 * none, so it must be called before the response is sent.
 */
export function csrfField(context: Context, req: Request, res: Response, action: string): Html {
  const secret = newSecrets.get(res) ?? readCookie(context, req, 'csrf') ?? renewCsrfCookie(context, res);
  return html`<input type="hidden" name="csrf_token" value="${formToken(context.pageSecret, secret, action)}">`;
}

/** Forms that were shown before no longer count. */
export function renewCsrfCookie(context: Context, res: Response): string {
  const secret = randomBytes(32).toString('base64url');
  newSecrets.set(res, secret);
  setCsrfCookie(context, res, secret);
  return secret;
}

/**
 * Reads the form of a POST that came from a page of ours.
 * Throws PageError 403 when it did not, and whatever reading a form throws.
 */
export async function readTrustedForm(
  context: Context,
  req: Request,
  res: Response,
): Promise<URLSearchParams> {
  requireOwnPage(context, req);
  const form = await readForm(req, res);
  const secret = readCookie(context, req, 'csrf');
  const token = form.get('csrf_token') ?? '';
  if (secret === undefined || !isFormToken(token, context.pageSecret, secret, req.path)) throw staleForm();
  return form;
}

/**
 * The browser's own word on where a form came from. Our pages send no referrer, and their forms then an opaque
 * `Origin: null` (Fetch §3.2); Sec-Fetch-Site stays true.
 */
function requireOwnPage({ config }: Context, req: Request): void {
  const { 'sec-fetch-site': site, origin } = req.headers;
  const isOwn =
    site === undefined
      ? origin === undefined || origin === 'null' || origin === config.baseUrl
      : site === 'same-origin';
  if (isOwn) return;
  throw new PageError({
    status: 403,
    title: 'This form came from somewhere else',
    message: 'Another site, or another address of this one, sent it. Nothing was changed.',
  });
}

function staleForm(): PageError {
  return new PageError({
    status: 403,
    title: 'This form is no longer valid',
    message:
      'It was shown before you signed in or out, or your browser refuses cookies. Nothing was changed: go back, reload the page and send the form again.',
  });
}
