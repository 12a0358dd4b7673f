import { readSignedText, signText } from '../keys/signed-text.ts';
import { pathWithLink } from '../sign-in/sign-in-paths.ts';
import { remindersPath } from './reminder-messages.ts';

export const unsubscribePath = `${remindersPath}/unsubscribe`;
const purpose = 'unsubscribe';

/** Below the public base URL. It does not expire: all it can do is turn messages off. */
export function unsubscribeLinkFor(pageSecret: Buffer, accountId: string): string {
  return pathWithLink(unsubscribePath, signText(pageSecret, purpose, accountId));
}

/** Undefined for a link that this service did not make. */
export function accountOfUnsubscribeLink(pageSecret: Buffer, link: string): string | undefined {
  return readSignedText(pageSecret, purpose, link);
}
