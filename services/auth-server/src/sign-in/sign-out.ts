import { type Html, html } from '#shared/html/html.ts';
import { clearCookie, readCookie } from '../browser/browser-cookies.ts';
import { findBrowserUser } from '../browser/browser-session-service.ts';
import { renewCsrfCookie } from '../browser/csrf.ts';
import { untrustedText } from '../html/text.ts';
import type { Exchange } from '../http/route.ts';
import { openOwnerSession } from '../session.ts';
import { signOut } from './sign-in-service.ts';

/**
 * Not "cache", which is slow in Chromium (crbug.com/40233601) and holds nothing of an account, nor "cookies",
 * which includes those of neighbouring hosts.
 */
const clearedSiteData = '"storage"';

/**
 * The user of this browser, if signed in as another account than that of a mailed link; `undefined`: the link
 * creates one.
 */
export async function otherAccountHint(
  { context, req }: Exchange,
  accountId: string | undefined,
): Promise<Html | undefined> {
  const user = await findBrowserUser(context, req);
  if (user === undefined || user.account.id === accountId) return undefined;
  return html`<p class="hint">You are signed in as ${untrustedText(user.account.email)} here.
This browser will be signed out, too.</p>`;
}

/** Ends the browser's session and makes the browser delete the app's data. */
export async function signOutBrowserOf(exchange: Exchange): Promise<void> {
  const { context, req } = exchange;
  const secret = readCookie(context, req, 'session');
  if (secret !== undefined) await signOut(openOwnerSession(context, req), secret);
  clearBrowser(exchange);
}

/** The same for a session that has ended. */
export function clearBrowser({ context, res }: Exchange): void {
  clearCookie(context, res, 'session');
  renewCsrfCookie(context, res);
  res.set('Clear-Site-Data', clearedSiteData);
}
