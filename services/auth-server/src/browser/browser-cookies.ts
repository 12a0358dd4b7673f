import type { IncomingMessage } from 'node:http';
import type { CookieOptions, Response } from 'express';
import { sentCookie } from '#shared/http/request-cookies.ts';
import type { Context } from '../context.ts';

type SecretName = 'session' | 'csrf' | 'browser';
type CookieName = SecretName | 'notice' | 'theme';
type CookieContext = Pick<Context, 'config'>;

/**
 * The session expires by its row; the cookie has the maximum age of browsers (RFC 6265bis §5.5). Lax: an
 * app's authorization request needs the session, cross-site POSTs must not have it.
 */
const cookies: Readonly<Record<CookieName, CookieOptions>> = {
  session: { sameSite: 'lax', maxAge: 400 * 86_400_000 },
  csrf: { sameSite: 'lax' },
  // The accounts that signed in with this browser; outlives their sessions.
  browser: { sameSite: 'strict', maxAge: 400 * 86_400_000 },
  // For the redirect after a form.
  notice: { sameSite: 'strict', maxAge: 60_000 },
  // Kept at sign-out. The app reads it by script, since its page is static.
  theme: { sameSite: 'lax', maxAge: 400 * 86_400_000, httpOnly: false },
};

const secretShape = /^[\w-]{43}$/;
const shapes: Readonly<Record<SecretName, RegExp>> = {
  session: secretShape,
  csrf: secretShape,
  browser: /^[\w-]{22}(\.[\w-]{22}){1,5}$/,
};

/** Returns the secret of the cookie; undefined if missing or malformed. */
export function readCookie(
  context: CookieContext,
  req: IncomingMessage,
  name: SecretName,
): string | undefined {
  const value = sentCookie(req, cookieName(context, name));
  return value !== undefined && shapes[name].test(value) ? value : undefined;
}

export function setCookie(context: CookieContext, res: Response, name: CookieName, value: string): void {
  res.cookie(cookieName(context, name), value, optionsOf(context, name));
}

export function clearCookie(context: CookieContext, res: Response, name: CookieName): void {
  const { maxAge: _, ...options } = optionsOf(context, name);
  res.clearCookie(cookieName(context, name), options);
}

/**
 * Returns the notice's name and deletes the cookie. It may be any text: without TLS others can set the
 * cookie.
 */
export function takeNotice(context: CookieContext, req: IncomingMessage, res: Response): string | undefined {
  const notice = sentCookie(req, cookieName(context, 'notice'));
  if (notice !== undefined) clearCookie(context, res, 'notice');
  return notice;
}

/**
 * `__Host-`: no other host, including subdomains, can set the cookie (RFC 6265bis §4.1.3.2). Without TLS the
 * host is usually localhost, whose services share cookies across ports (RFC 6265 §8.5): the prefix separates
 * ours.
 */
function cookieName(context: CookieContext, name: CookieName): string {
  return isSecure(context) ? `__Host-${name}` : `tasks_${name}`;
}

function optionsOf(context: CookieContext, name: CookieName): CookieOptions {
  return { httpOnly: true, ...cookies[name], secure: isSecure(context), path: '/' };
}

function isSecure({ config }: CookieContext): boolean {
  return config.baseUrl.startsWith('https:');
}
