import { setCookie, takeNotice } from '../browser/browser-cookies.ts';
import type { Exchange } from '../http/route.ts';
import { signInPath } from './sign-in-paths.ts';

type Lead = { notice: string; email?: string; returnTo?: string };

/**
 * Redirects to the sign-in page with a notice shown once and the address filled in. Passed by a cookie: URLs
 * end up in histories and proxies, and anybody can send one.
 */
export function leadToSignIn({ context, res }: Exchange, { notice, email = '', returnTo }: Lead): void {
  setCookie(context, res, 'notice', Buffer.from(email).toString('base64url'));
  const query = new URLSearchParams({ ...(returnTo !== undefined && { return_to: returnTo }), notice });
  res.redirect(303, `${signInPath}?${query}`);
}

export function takeAddress({ context, req, res }: Exchange): string | undefined {
  const passed = takeNotice(context, req, res);
  return passed && Buffer.from(passed, 'base64url').toString();
}
