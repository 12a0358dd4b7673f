import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { findAccountByEmail } from '../accounts/account-service.ts';
import { readCookie, setCookie } from '../browser/browser-cookies.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../http/route.ts';
import type { BrowserOptions } from './sign-in-service.ts';

/** Maximum number of accounts per browser; the one with the oldest sign-in is dropped. */
const maximumAccounts = 5;

/**
 * Marks the browser as known to the account, so its failures are counted apart from those of other browsers
 * (OWASP, «Device Cookies»). The cookie holds a random id and, for each account that signed in, an HMAC of
 * both.
 */
export function rememberBrowser({ context, req, res }: Exchange, accountId: string): void {
  const [id = randomBytes(16).toString('base64url'), ...marks] = readMarks(context, req);
  const mark = markOf(context, id, accountId);
  const kept = marks.filter((each) => each !== mark).slice(0, maximumAccounts - 1);
  setCookie(context, res, 'browser', [id, mark, ...kept].join('.'));
}

/** The browser's id, if it is known to the account of the address. */
export async function findKnownBrowser(
  context: Context,
  req: IncomingMessage,
  email: string,
): Promise<string | undefined> {
  // Unknown to every account, so no query is needed.
  if (readCookie(context, req, 'browser') === undefined) return undefined;
  const account = await findAccountByEmail({ em: context.em.fork() }, email);
  return account === null ? undefined : browserIdFor(context, req, account.id);
}

export function browserOptions(context: Context, req: IncomingMessage): BrowserOptions {
  const { browserSessionTtlSeconds, browserSessionMaximumSeconds } = context.config;
  return {
    lifetimeSeconds: Math.min(browserSessionTtlSeconds, browserSessionMaximumSeconds),
    previousSecret: readCookie(context, req, 'session'),
    isKnownTo: (accountId) => browserIdFor(context, req, accountId) !== undefined,
  };
}

/** Like `findKnownBrowser`, by account id. */
export function browserIdFor(context: Context, req: IncomingMessage, accountId: string): string | undefined {
  const [id, ...marks] = readMarks(context, req);
  if (id === undefined) return undefined;
  const mark = markOf(context, id, accountId);
  const isKnown = marks.some((each) => timingSafeEqual(Buffer.from(each), Buffer.from(mark)));
  return isKnown ? `${id}.${mark}` : undefined;
}

function readMarks(context: Context, req: IncomingMessage): string[] {
  return readCookie(context, req, 'browser')?.split('.') ?? [];
}

function markOf({ pageSecret }: Context, id: string, accountId: string): string {
  const bytes = createHmac('sha256', pageSecret).update(`known-browser\n${id}\n${accountId}`).digest();
  return bytes.subarray(0, 16).toString('base64url');
}
