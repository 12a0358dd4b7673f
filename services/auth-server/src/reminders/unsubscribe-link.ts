import { readSignedText, signText } from '../keys/signed-text.ts';
import { pathWithLink } from '../sign-in/sign-in-paths.ts';
import { remindersPath } from './reminder-messages.ts';

export const unsubscribePath = `${remindersPath}/unsubscribe`;
const purpose = 'unsubscribe';

/** Relative to the public base URL. It does not expire, since it can only turn messages off. */
export function unsubscribeLinkFor(pageSecret: Buffer, accountId: string): string {
  return pathWithLink(unsubscribePath, signText(pageSecret, purpose, accountId));
}

/** undefined unless this service signed the link. */
export function accountOfUnsubscribeLink(pageSecret: Buffer, link: string): string | undefined {
  return readSignedText(pageSecret, purpose, link);
}
