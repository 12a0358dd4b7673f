import type { IncomingMessage } from 'node:http';
import type { CookieOptions, Response } from 'express';
import type { Context } from '../context.ts';

type CookieName = 'session' | 'csrf';
type CookieContext = Pick<Context, 'config'>;

/**
 * Longer than any session lasts, and as long as browsers keep a cookie (RFC 6265bis §5.5): the session's own row
 * decides when it ends, which moves with every visit.
 */
const sessionCookieDays = 400;

/** What the browser sent; undefined when it sent nothing, or nothing that we could have set. */
export function readCookie(
  context: CookieContext,
  req: IncomingMessage,
  name: CookieName,
): string | undefined {
  const prefix = `${cookieName(context, name)}=`;
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
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

/** `__Host-`: no other host, not even a subdomain, can plant one (RFC 6265bis §4.1.3.2). */
function cookieName(context: CookieContext, name: CookieName): string {
  return isSecure(context) ? `__Host-${name}` : name;
}

/** Lax: an app's authorization request must find the session; POSTs from elsewhere do not. */
function attributes(context: CookieContext): CookieOptions {
  return { httpOnly: true, secure: isSecure(context), sameSite: 'lax', path: '/' };
}

function isSecure({ config }: CookieContext): boolean {
  return config.baseUrl.startsWith('https:');
}
