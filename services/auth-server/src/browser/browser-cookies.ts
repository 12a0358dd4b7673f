import type { IncomingMessage } from 'node:http';
import type { CookieOptions, Response } from 'express';
import type { Context } from '../context.ts';

type SecretName = 'session' | 'csrf';
type CookieName = SecretName | 'notice';
type CookieContext = Pick<Context, 'config'>;

/**
 * Longer than any session lasts, and as long as browsers keep a cookie (RFC 6265bis §5.5): the session's own row
 * decides when it ends, which moves with every visit.
 */
const sessionCookieDays = 400;
/** For the redirect that follows a form. */
const noticeCookieSeconds = 60;

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
  const maxAge = sessionCookieDays * 86_400_000;
  res.cookie(cookieName(context, 'session'), secret, { ...attributes(context), maxAge });
}

export function clearSessionCookie(context: CookieContext, res: Response): void {
  res.clearCookie(cookieName(context, 'session'), attributes(context));
}

/** Goes with the browser's window. */
export function setCsrfCookie(context: CookieContext, res: Response, secret: string): void {
  res.cookie(cookieName(context, 'csrf'), secret, attributes(context));
}

/** A word for the next page: what the form that the browser has just sent did. */
export function setNoticeCookie(context: CookieContext, res: Response, word: string): void {
  const maxAge = noticeCookieSeconds * 1_000;
  res.cookie(cookieName(context, 'notice'), word, { ...noticeAttributes(context), maxAge });
}

/** The word, which no later page has. Anything may be in its place: without TLS others can plant it. */
export function takeNoticeCookie(
  context: CookieContext,
  req: IncomingMessage,
  res: Response,
): string | undefined {
  const word = sentValue(context, req, 'notice');
  if (word !== undefined) res.clearCookie(cookieName(context, 'notice'), noticeAttributes(context));
  return word;
}

function sentValue(context: CookieContext, req: IncomingMessage, name: CookieName): string | undefined {
  const prefix = `${cookieName(context, name)}=`;
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}

/**
 * `__Host-`: no other host, not even a subdomain, can plant one (RFC 6265bis §4.1.3.2). Without TLS the host is mostly
 * localhost, whose services share their cookies whatever their ports (RFC 6265 §8.5): the name says whose they are.
 */
function cookieName(context: CookieContext, name: CookieName): string {
  return isSecure(context) ? `__Host-${name}` : `tasks_${name}`;
}

/** Lax: an app's authorization request must find the session; POSTs from elsewhere do not. */
function attributes(context: CookieContext): CookieOptions {
  return { httpOnly: true, secure: isSecure(context), sameSite: 'lax', path: '/' };
}

/** Strict: a link from elsewhere says nothing of what was done here. */
function noticeAttributes(context: CookieContext): CookieOptions {
  return { ...attributes(context), sameSite: 'strict' };
}

function isSecure({ config }: CookieContext): boolean {
  return config.baseUrl.startsWith('https:');
}
