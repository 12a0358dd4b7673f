import { setCookie } from '../browser/browser-cookies.ts';
import { renewCsrfCookie } from '../browser/csrf.ts';
import type { Exchange } from '../http/route.ts';
import { rememberBrowser } from './known-browser.ts';
import { dataPath, homePath, keptNotice } from './sign-in-paths.ts';
import type { SignedIn } from './sign-in-service.ts';

/** Sets the session cookie and redirects. Forms and proofs signed for the browser before become invalid. */
export function enterBrowser(
  exchange: Exchange,
  { secret, accountId, isKept }: SignedIn,
  returnTo: string,
): void {
  const { context, res } = exchange;
  setCookie(context, res, 'session', secret);
  rememberBrowser(exchange, accountId);
  renewCsrfCookie(context, res);
  // A waiting app or an opened task takes precedence over this notice, which is also mailed.
  const saysKept = isKept && (returnTo === homePath || returnTo.startsWith('/settings'));
  if (saysKept) setCookie(context, res, 'notice', keptNotice);
  res.redirect(303, saysKept ? dataPath : returnTo);
}
