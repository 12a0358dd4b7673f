import { reversalDays } from '../accounts/account-address.ts';
import type { Account } from '../accounts/account-entity.ts';
import { startAddressReversal } from '../accounts/address-change-service.ts';
import type { Session } from '../session.ts';
import { pathWithLink, undoAddressPath } from '../sign-in/sign-in-paths.ts';
import { factsOf, type SecurityEvent } from './mail-facts.ts';
import type { MailContent } from './mail-messages.ts';

export type NoticeSession = Pick<Session, 'em' | 'clock'>;
export type AddressedNotice = { to: string; content: MailContent };

/**
 * To the former address of the account, with a link that restores it, unless the account has returned to an
 * address from before it. undefined if the account has the former address again.
 */
export async function addressNotice(
  session: NoticeSession,
  event: SecurityEvent,
  account: Account,
  baseUrl: string,
): Promise<AddressedNotice | undefined> {
  const former = event.subjectName ?? account.email;
  const secret = await startAddressReversal(session, account.id, former);
  if (secret === undefined && account.email === former) return undefined;
  const undo =
    secret === undefined
      ? 'contact the operator of this service.'
      : `take your address back. The link works for ${reversalDays} days. ` +
        'It signs out every browser and app, revokes personal tokens, and asks you for another password.';
  const content = {
    subject: 'The address of your account was changed',
    paragraphs: [
      `Your account has the address ${account.email} now: you sign in with it, and messages go there.`,
      `If it was not you, ${undo}`,
    ],
    facts: factsOf(event, account.timezone),
    ...(secret !== undefined && {
      link: {
        label: 'Restore the address',
        url: `${baseUrl}${pathWithLink(undoAddressPath, secret)}`,
      },
    }),
    footnote: 'Sent to the account’s previous address, because of a security-related change.',
  };
  return { to: former, content };
}

/** To the address that the account had before. */
export function restoredNotice(event: SecurityEvent, { email, timezone }: Account): AddressedNotice {
  const content = {
    subject: 'The address of your account was taken back',
    paragraphs: [
      'The account that had this address has an earlier one again: a link that was sent there was used. ' +
        'All browsers are signed out, and the password no longer works.',
      'If the account is yours and it was not you: the message to an address that you had before that one ' +
        'holds a link that gives it back to you. ' +
        'If there is none, contact the operator of this service.',
    ],
    facts: factsOf(event, timezone),
    footnote: 'Sent to the account’s previous address, because of a security-related change.',
  };
  return { to: event.subjectName ?? email, content };
}
