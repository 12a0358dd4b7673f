import { clearCookie, readCookie } from '../browser/browser-cookies.ts';
import { renewCsrfCookie } from '../browser/csrf.ts';
import type { Exchange } from '../http/route.ts';
import { openOwnerSession } from '../session.ts';
import { signOut } from './sign-in-service.ts';

/**
 * Not "cache", which is slow in Chromium (crbug.com/40233601) and holds nothing of an account, nor "cookies", which
 * includes those of neighbouring hosts.
 */
const clearedSiteData = '"storage"';

/** Ends the session of the browser that sent the request, and has it delete what the app keeps there. */
export async function signOutBrowserOf({ context, req, res }: Exchange): Promise<void> {
  const secret = readCookie(context, req, 'session');
  if (secret !== undefined) await signOut(openOwnerSession(context, req), secret);
  clearCookie(context, res, 'session');
  renewCsrfCookie(context, res);
  res.set('Clear-Site-Data', clearedSiteData);
}
