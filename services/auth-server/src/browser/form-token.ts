import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What proves that a form came from a page of ours: bound to the browser by its `csrf` cookie, and to the path the
 * form is sent to, so that the token of a harmless form is of no use for another.
 */
export function formToken(pageSecret: Buffer, browserSecret: string, action: string): string {
  return createHmac('sha256', pageSecret).update(`${browserSecret}\n${action}`).digest('base64url');
}

export function isFormToken(
  token: string,
  pageSecret: Buffer,
  browserSecret: string,
  action: string,
): boolean {
  const expected = Buffer.from(formToken(pageSecret, browserSecret, action));
  const actual = Buffer.from(token);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
