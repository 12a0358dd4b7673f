import { setCookie, takeNotice } from '../browser/browser-cookies.ts';
import type { Exchange } from '../http/route.ts';

/**
 * Has the page to sign in show its notice and filled in with the address, if any, once; not by its URL, which browsers
 * and proxies keep, and which anybody can send.
 */
export function passAddress({ context, res }: Exchange, email: string): void {
  setCookie(context, res, 'notice', Buffer.from(email).toString('base64url'));
}

export function takeAddress({ context, req, res }: Exchange): string | undefined {
  const passed = takeNotice(context, req, res);
  return passed && Buffer.from(passed, 'base64url').toString();
}
