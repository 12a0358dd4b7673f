import { reversalDays } from '../accounts/account-address.ts';
import type { Account } from '../accounts/account-entity.ts';
import { startAddressReversal } from '../accounts/address-change-service.ts';
import type { Session } from '../session.ts';
import { undoAddressPath } from '../sign-in/sign-in-paths.ts';
import { factsOf, type SecurityEvent } from './mail-facts.ts';
import type { MailContent } from './mail-messages.ts';

/**
 * To the former address of the account, with a link that gives it back. Undefined where it can not be taken back, as
 * after a change by the operator.
 */
export async function addressNotice(
  session: Pick<Session, 'em' | 'clock'>,
  event: SecurityEvent,
  account: Account,
  baseUrl: string,
): Promise<{ to: string; content: MailContent } | undefined> {
  const former = event.subjectName ?? account.email;
  const secret = await startAddressReversal(session, account.id, former);
  if (secret === undefined) return undefined;
  const content = {
    subject: 'The address of your account was changed',
    paragraphs: [
      `Your account has the address ${account.email} now: you sign in with it, and messages go there.`,
      `If it was not you, take your address back. The link works for ${reversalDays} days. It signs out every browser and app, revokes personal tokens, and asks you for another password.`,
    ],
    facts: factsOf(event, account.timezone),
    link: {
      label: 'Restore the address',
      url: `${baseUrl}${undoAddressPath}?${new URLSearchParams({ link: secret })}`,
    },
    footnote: 'Sent to the account’s previous address, because of a security-related change.',
  };
  return { to: former, content };
}
