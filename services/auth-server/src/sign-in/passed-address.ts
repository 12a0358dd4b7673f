import { setCookie, takeNotice } from '../browser/browser-cookies.ts';
import type { Exchange } from '../http/route.ts';
import { signInPath } from './sign-in-paths.ts';

type Lead = { notice: string; email?: string; returnTo?: string };

/**
 * Redirects to the page to sign in, which shows the notice once, and is filled in with the address. A cookie holds that:
 * browsers and proxies keep URLs, and anybody can send one.
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
