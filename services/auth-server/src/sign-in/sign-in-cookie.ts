import { setCookie } from '../browser/browser-cookies.ts';
import { renewCsrfCookie } from '../browser/csrf.ts';
import type { Exchange } from '../http/route.ts';
import { rememberBrowser } from './known-browser.ts';
import { dataPath, homePath, keptNotice } from './sign-in-paths.ts';
import type { SignedIn } from './sign-in-service.ts';

/** Gives the browser its session, and leads it on. What was signed for it before is worth nothing from now on. */
export function enterBrowser(
  exchange: Exchange,
  { secret, accountId, isKept }: SignedIn,
  returnTo: string,
): void {
  const { context, res } = exchange;
  setCookie(context, res, 'session', secret);
  rememberBrowser(exchange, accountId);
  renewCsrfCookie(context, res);
  // An app that waits for its user, or a task that was opened, comes first: the mail says it, too.
  const saysKept = isKept && (returnTo === homePath || returnTo.startsWith('/settings'));
  if (saysKept) setCookie(context, res, 'notice', keptNotice);
  res.redirect(303, saysKept ? dataPath : returnTo);
}
