import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { type Html, html } from '#shared/html/html.ts';
import { createFormReader } from '#shared/http/request-input.ts';
import { newSecret } from '#shared/tokens/secret.ts';
import type { Context } from '../context.ts';
import { PageError } from '../html/page-error.ts';
import type { Exchange } from '../http/route.ts';
import { readCookie, setCookie } from './browser-cookies.ts';

/** Two passwords of maximum length take 24 KiB, percent-encoded. */
const readForm = createFormReader(64 * 1024);

/** A CSRF token, bound to the browser by its `csrf` cookie and to the form by its path. */
export function csrfToken(pageSecret: Buffer, browserSecret: string, action: string): string {
  return createHmac('sha256', pageSecret).update(`${browserSecret}\n${action}`).digest('base64url');
}

/**
 * The hidden field of a form that posts to `action`, a path without a query. Sets the browser's cookie if
 * missing, so call it before the response is sent.
 */
export function csrfField(exchange: Exchange, action: string): Html {
  const token = csrfToken(exchange.context.pageSecret, browserSecret(exchange), action);
  return html`<input type="hidden" name="csrf_token" value="${token}">`;
}

/** Returns the secret of the browser's `csrf` cookie, setting it if missing. */
export function browserSecret({ context, req, res }: Exchange): string {
  const renewed: string | undefined = res.locals.csrfSecret;
  return renewed ?? readCookie(context, req, 'csrf') ?? renewCsrfCookie(context, res);
}

/** Invalidates forms shown before. All forms of this response use the new secret. */
export function renewCsrfCookie(context: Context, res: Response): string {
  const secret = newSecret();
  res.locals.csrfSecret = secret;
  setCookie(context, res, 'csrf', secret);
  return secret;
}

/**
 * Returns the form of a POST from one of our pages. Throws PageError 403 for any other, and the errors of
 * reading a form.
 */
export async function readVerifiedForm({ context, req, res }: Exchange): Promise<URLSearchParams> {
  requireSameOrigin(context, req);
  const form = await readForm(req, res);
  const secret = readCookie(context, req, 'csrf');
  const expected = secret === undefined ? undefined : csrfToken(context.pageSecret, secret, req.path);
  if (expected === undefined || !isSame(form.get('csrf_token') ?? '', expected))
    throw new StaleFormError(form);
  return form;
}

function isSame(token: string, expected: string): boolean {
  const [actual, wanted] = [Buffer.from(token), Buffer.from(expected)];
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}

/**
 * Our pages send no referrer, so their forms have `Origin: null` (Fetch §3.2); Sec-Fetch-Site is unaffected.
 */
function requireSameOrigin(context: Context, req: Request): void {
  const { 'sec-fetch-site': site, origin } = req.headers;
  const mayBeOwnForm = site === undefined && (origin === undefined || origin === 'null');
  if (mayBeOwnForm || isFromOwnPage(context, req)) return;
  throw new PageError({
    status: 403,
    title: 'This form came from somewhere else',
    message: 'Another site, or another address of this one, sent it. Nothing was changed.',
  });
}

/** Pages cannot set these headers. Browsers before 2023 send only `Origin`. */
export function isFromOwnPage({ config }: Context, req: Request): boolean {
  const { 'sec-fetch-site': site, origin } = req.headers;
  return site === undefined ? origin === config.baseUrl : site === 'same-origin';
}

/** `form` is not to be trusted. */
export class StaleFormError extends PageError {
  readonly form: URLSearchParams;

  constructor(form: URLSearchParams) {
    super({
      status: 403,
      title: 'This form is no longer valid',
      message:
        'It was shown before you signed in or out, or your browser refuses cookies. ' +
        'Nothing was changed: go back, reload the page and send the form again.',
    });
    this.form = form;
  }
}
