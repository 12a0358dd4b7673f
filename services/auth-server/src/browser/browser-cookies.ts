import type { IncomingMessage } from 'node:http';
import type { CookieOptions, Response } from 'express';
import type { Context } from '../context.ts';

type SecretName = 'session' | 'csrf';
type CookieName = SecretName | 'notice';
type CookieContext = Pick<Context, 'config'>;

/** The longest that browsers keep a cookie (RFC 6265bis §5.5): the session's row decides when it expires. */
const sessionCookieMilliseconds = 400 * 86_400_000;
/** For the redirect that follows a form. */
const noticeCookieMilliseconds = 60_000;

/** The secret that the browser sent; undefined when it sent nothing, or nothing that we could have set. */
export function readCookie(
  context: CookieContext,
  req: IncomingMessage,
  name: SecretName,
): string | undefined {
  const value = sentValue(context, req, name);
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

export function setSessionCookie(context: CookieContext, res: Response, secret: string): void {
  const maxAge = sessionCookieMilliseconds;
  res.cookie(cookieName(context, 'session'), secret, { ...attributes(context, 'session'), maxAge });
}

export function clearSessionCookie(context: CookieContext, res: Response): void {
  res.clearCookie(cookieName(context, 'session'), attributes(context, 'session'));
}

/** Until the browser is closed. */
export function setCsrfCookie(context: CookieContext, res: Response, secret: string): void {
  res.cookie(cookieName(context, 'csrf'), secret, attributes(context, 'csrf'));
}

/** The name of a notice for the next page. */
export function setNoticeCookie(context: CookieContext, res: Response, notice: string): void {
  const maxAge = noticeCookieMilliseconds;
  res.cookie(cookieName(context, 'notice'), notice, { ...attributes(context, 'notice'), maxAge });
}

/** The name of the notice, which later pages do not get. It can be any text: without TLS others can set the cookie. */
export function takeNoticeCookie(
  context: CookieContext,
  req: IncomingMessage,
  res: Response,
): string | undefined {
  const notice = sentValue(context, req, 'notice');
  if (notice !== undefined) res.clearCookie(cookieName(context, 'notice'), attributes(context, 'notice'));
  return notice;
}

function sentValue(context: CookieContext, req: IncomingMessage, name: CookieName): string | undefined {
  const prefix = `${cookieName(context, name)}=`;
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

/**
 * `__Host-`: no other host, not even a subdomain, can set one (RFC 6265bis §4.1.3.2). Without TLS the host is mostly
 * localhost, whose services share cookies across ports (RFC 6265 §8.5): the prefix keeps ours apart.
 */
function cookieName(context: CookieContext, name: CookieName): string {
  return isSecure(context) ? `__Host-${name}` : `tasks_${name}`;
}

/** Lax: an app's authorization request must find the session; POSTs from elsewhere do not. Notices: own pages alone. */
function attributes(context: CookieContext, name: CookieName): CookieOptions {
  const sameSite = name === 'notice' ? 'strict' : 'lax';
  return { httpOnly: true, secure: isSecure(context), sameSite, path: '/' };
}

function isSecure({ config }: CookieContext): boolean {
  return config.baseUrl.startsWith('https:');
}
