import type { Account } from '../accounts/account-entity.ts';
import { findAccountByEmail, lockAccount } from '../accounts/account-service.ts';
import {
  type AddressChange,
  confirmationHours,
  startAddressChange,
  startSignUp,
} from '../accounts/address-change-service.ts';
import { startPasswordReset } from '../accounts/password-reset-service.ts';
import type { Session } from '../session.ts';
import { confirmAddressPath, confirmSignUpPath, pathWithLink, signInPath } from '../sign-in/sign-in-paths.ts';
import { factsOf, type MailOrigin } from './mail-facts.ts';
import { composeMail, type MailContent } from './mail-messages.ts';
import type { MailMessage } from './mail-transport.ts';
import { resetMail } from './reset-mail.ts';

/** A link requested on a page that must not reveal whether the address has an account. */
export type LinkJob =
  | { kind: 'password-reset'; email: string; origin: MailOrigin }
  | { kind: 'sign-up'; email: string; returnTo: string; origin: MailOrigin }
  | { kind: 'address-change'; change: AddressChange; origin: MailOrigin };

type LinkSession = Pick<Session, 'em' | 'clock'>;

/**
 * The message with the link, or one to the owner of a taken address; undefined for none. Made under the
 * account's lock, so that whatever ends links ends this one, too.
 */
export function linkMessage(
  { em, clock }: LinkSession,
  job: LinkJob,
  baseUrl: string,
): Promise<MailMessage | undefined> {
  return em.transactional((within) => {
    const session = { em: within, clock };
    return job.kind === 'address-change'
      ? addressChangeMessage(session, job, baseUrl)
      : publicMessage(session, job, baseUrl);
  });
}

type PublicJob = Exclude<LinkJob, { kind: 'address-change' }>;

async function publicMessage(
  session: LinkSession,
  job: PublicJob,
  baseUrl: string,
): Promise<MailMessage | undefined> {
  const { id, email } = (await findAccountByEmail(session, job.email)) ?? {};
  if (id !== undefined) {
    const account = await lockAccount(session.em, id);
    if (account === null || account.email !== email) return undefined;
    const facts = factsOf(job.origin, account.timezone);
    const content = await ownerMessage(session, job.kind, account, baseUrl);
    return composeMail(account.email, { ...content, facts });
  }
  if (job.kind === 'password-reset') return undefined;
  const query = new URLSearchParams({ link: await startSignUp(session, job.email), return_to: job.returnTo });
  const url = `${baseUrl}${confirmSignUpPath}?${query}`;
  return composeMail(job.email, confirmSignUp(factsOf(job.origin, 'UTC'), url));
}

/** To the owner of an address that somebody entered on a public page. */
async function ownerMessage(
  session: LinkSession,
  kind: PublicJob['kind'],
  { id, lockedAt, status }: Account,
  baseUrl: string,
): Promise<MailContent> {
  if (lockedAt !== null) return accountLocked;
  if (kind === 'sign-up') return accountExists(baseUrl);
  return resetMail(await startPasswordReset(session, id), baseUrl, status === 'suspended');
}

type AddressChangeJob = Extract<LinkJob, { kind: 'address-change' }>;

async function addressChangeMessage(
  session: LinkSession,
  { change, origin }: AddressChangeJob,
  baseUrl: string,
): Promise<MailMessage | undefined> {
  const account = await lockAccount(session.em, change.accountId);
  if (account === null || account.lockedAt !== null) return undefined;
  const other = await findAccountByEmail(session, change.email);
  if (other !== null && other.id !== account.id)
    return composeMail(other.email, addressInUse(factsOf(origin, other.timezone), baseUrl));
  const secret = await startAddressChange(session, change);
  if (secret === undefined) return undefined;
  const url = `${baseUrl}${pathWithLink(confirmAddressPath, secret)}`;
  return composeMail(change.email, confirmAddress(account.email, factsOf(origin, account.timezone), url));
}

type Facts = MailContent['facts'];

const lifetime = `The link works once, for ${confirmationHours} hours.`;

function confirmSignUp(facts: Facts, url: string): MailContent {
  return {
    subject: 'Confirm your address',
    paragraphs: [
      'Somebody wants to create an account with this address. ' +
        'If it was you, open the link and choose a password.',
      `${lifetime} If it was not you, do nothing: no account is created.`,
    ],
    facts,
    link: { label: 'Create the account', url },
    footnote: 'Sent because this address was entered on the page to create an account.',
  };
}

/** Without a link: the account is locked. */
const accountLocked: MailContent = {
  subject: 'Your account is locked',
  paragraphs: [
    'The operator of this service has locked your account: ' +
      'you cannot sign in, and no link to choose another password is sent. ' +
      'Only the operator can unlock it. Contact them if you do not know why.',
  ],
  footnote:
    'Sent because this address was entered on the page for forgotten passwords, ' +
    'or on the one to create an account.',
};

function accountExists(baseUrl: string): MailContent {
  return {
    subject: 'You have an account already',
    paragraphs: [
      'Somebody wanted to create an account with your address. ' +
        'You have one already, and nothing was changed.',
      'If it was you, sign in. The sign-in page also helps with a forgotten password.',
    ],
    link: { label: 'Sign in', url: `${baseUrl}${signInPath}` },
    footnote: 'Sent because this address was entered on the page to create an account.',
  };
}

function confirmAddress(formerAddress: string, facts: Facts, url: string): MailContent {
  return {
    subject: 'Confirm your new address',
    paragraphs: [
      `The account of ${formerAddress} is changing to this address. If it is your account, open the link.`,
      `${lifetime} If you do not know that account, do nothing: nothing will change.`,
    ],
    facts,
    link: { label: 'Use this address', url },
    footnote: 'Sent because this address was entered in the settings of an account.',
  };
}

function addressInUse(facts: Facts, baseUrl: string): MailContent {
  return {
    subject: 'Your address was entered for another account',
    paragraphs: [
      'Somebody wanted to give another account your address. ' +
        'It stays with your account, and nothing was changed.',
      'If it was you: an address can belong to only one account. Give this account another address first.',
    ],
    facts,
    link: { label: 'Open your settings', url: `${baseUrl}/settings` },
    footnote: 'Sent because this address was entered in the settings of an account.',
  };
}
