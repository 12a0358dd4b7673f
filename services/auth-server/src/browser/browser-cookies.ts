import type { IncomingMessage } from 'node:http';
import type { CookieOptions, Response } from 'express';
import type { Context } from '../context.ts';

type SecretName = 'session' | 'csrf' | 'browser';
type CookieName = SecretName | 'notice';
type CookieContext = Pick<Context, 'config'>;

/**
 * The session's row decides when it expires; its cookie lives as long as browsers allow (RFC 6265bis §5.5). Lax: an
 * app's authorization request must find the session, POSTs from elsewhere must not.
 */
const cookies: Readonly<Record<CookieName, CookieOptions>> = {
  session: { sameSite: 'lax', maxAge: 400 * 86_400_000 },
  csrf: { sameSite: 'lax' },
  // Which accounts signed in here: outlives their sessions.
  browser: { sameSite: 'strict', maxAge: 400 * 86_400_000 },
  // For the redirect that follows a form of ours.
  notice: { sameSite: 'strict', maxAge: 60_000 },
};

const secretShape = /^[\w-]{43}$/;
const shapes: Readonly<Record<SecretName, RegExp>> = {
  session: secretShape,
  csrf: secretShape,
  browser: /^[\w-]{22}(\.[\w-]{22}){1,5}$/,
};

/** The secret that the browser sent; undefined when it sent nothing, or nothing that we could have set. */
export function readCookie(
  context: CookieContext,
  req: IncomingMessage,
  name: SecretName,
): string | undefined {
  const value = sentValue(context, req, name);
  return value !== undefined && shapes[name].test(value) ? value : undefined;
}

export function setCookie(context: CookieContext, res: Response, name: CookieName, value: string): void {
  res.cookie(cookieName(context, name), value, optionsOf(context, name));
}

export function clearCookie(context: CookieContext, res: Response, name: CookieName): void {
  const { maxAge: _, ...options } = optionsOf(context, name);
  res.clearCookie(cookieName(context, name), options);
}

/** The notice's name, which later pages do not get. It can be any text: without TLS others can set the cookie. */
export function takeNotice(context: CookieContext, req: IncomingMessage, res: Response): string | undefined {
  const notice = sentValue(context, req, 'notice');
  if (notice !== undefined) clearCookie(context, res, 'notice');
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

function optionsOf(context: CookieContext, name: CookieName): CookieOptions {
  return { ...cookies[name], httpOnly: true, secure: isSecure(context), path: '/' };
}

function isSecure({ config }: CookieContext): boolean {
  return config.baseUrl.startsWith('https:');
}
