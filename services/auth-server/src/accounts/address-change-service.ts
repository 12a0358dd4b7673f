import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '#shared/errors/app-error.ts';
import { invalidField } from '#shared/errors/errors.ts';
import { addSeconds } from '#shared/time/clock.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import {
  type BrowserOwner,
  deleteBrowserSessions,
  lockBrowserSession,
} from '../browser/browser-session-repository.ts';
import { query } from '../database/query.ts';
import { removeSecondFactorsSince } from '../second-factor/second-factor-service.ts';
import { runRevocation, type Session } from '../session.ts';
import { replaceAddress, reversalDays } from './account-address.ts';
import { cancelDeletion } from './account-deletion-service.ts';
import type { Account } from './account-entity.ts';
import { addressChangeInput } from './account-schema.ts';
import { endAccess, lockAccount, requireActiveAccount } from './account-service.ts';
import {
  addMailLink,
  endAddressChanges,
  findMailLink,
  findPendingAddress,
  type MailLinkOf,
  useMailLink,
} from './mail-link-repository.ts';
import { unmatchableHash } from './password-hash.ts';
import { startPasswordReset } from './password-reset-service.ts';

export const confirmationHours = 24;
const confirmationSeconds = confirmationHours * 3_600;
const reversalSeconds = reversalDays * 86_400;

/** A requested change of address; a change of the password (`credentialVersion`) cancels it. */
export type AddressChange = { accountId: string; email: string; credentialVersion: number };

type LinkSession = Pick<Session, 'em' | 'clock'>;
type ChangeKind = Exclude<keyof MailLinkOf, 'sign_up'>;

/** `input`: `{email}`. Only validates. Throws validation_error, account_suspended, not_found. */
export async function readAddressChange(
  session: Session,
  accountId: string,
  input: unknown,
): Promise<AddressChange> {
  const { email } = validateInput(addressChangeInput, input, 'form');
  const account = await requireActiveAccount(session, accountId);
  if (account.email === email) throw invalidField('email', 'email is the address you have');
  return { accountId, email, credentialVersion: account.credentialVersion };
}

/**
 * Stores the change as pending, whether or not the address is taken. It replaces a change to another address.
 * Earlier links to the same address stay valid, since a further message may be limited. Throws token_missing.
 */
export async function askForAddressChange(
  session: Session,
  owner: BrowserOwner,
  change: AddressChange,
): Promise<void> {
  await session.em.transactional(async (em) => {
    await lockBrowserSession(em, owner);
    await endAddressChanges(em, change.accountId, change.email);
    // Marks the change as pending; the message contains a link with another secret.
    await addChangeLink({ ...session, em }, change);
  });
}

export async function cancelAddressChange({ em }: Session, owner: BrowserOwner): Promise<void> {
  await em.transactional(async (within) => {
    await lockBrowserSession(within, owner);
    await endAddressChanges(within, owner.accountId);
  });
}

/** Returns the secret of a link that creates one account with the address. */
export function startSignUp({ em, clock }: LinkSession, email: string): Promise<string> {
  return addMailLink(em, { kind: 'sign_up', email }, addSeconds(clock.now(), confirmationSeconds));
}

/** Returns the secret of a link that confirms the new address; undefined if the change was cancelled. */
export async function startAddressChange(
  session: LinkSession,
  change: AddressChange,
): Promise<string | undefined> {
  const pending = await findPendingAddress(session.em, change.accountId, session.clock.now());
  return pending?.email === change.email ? addChangeLink(session, change) : undefined;
}

function addChangeLink({ em, clock }: LinkSession, change: AddressChange): Promise<string> {
  const link = { kind: 'address_change', ...change } as const;
  return addMailLink(em, link, addSeconds(clock.now(), confirmationSeconds));
}

/** Returns the secret of a link that restores the former address; undefined if that is impossible. */
export async function startAddressReversal(
  { em, clock }: LinkSession,
  accountId: string,
  email: string,
): Promise<string | undefined> {
  const [former] = await query(em)<{ id: string }>`select id from auth.former_address
    where account_id = ${accountId} and email = ${email} and expires_at > ${clock.now()}
    order by given_up_at desc limit 1`;
  if (former === undefined) return undefined;
  const link = { kind: 'address_reversal', email, accountId, formerAddressId: former.id } as const;
  return addMailLink(em, link, addSeconds(clock.now(), reversalSeconds));
}

/** Returns the purpose of a link without using it; undefined if it is invalid. */
export async function findLink<Kind extends keyof MailLinkOf>(
  { em, clock }: LinkSession,
  kind: Kind,
  secret: string,
): Promise<MailLinkOf[Kind] | undefined> {
  return findMailLink(em, kind, secret, clock.now());
}

/** Returns the new address; undefined for an invalid link. Throws EmailTakenError, account_suspended. */
export async function confirmAddressChange(session: Session, secret: string): Promise<string | undefined> {
  return useLink(session, 'address_change', secret, async (within, account, { email, credentialVersion }) => {
    if (account.credentialVersion !== credentialVersion) return undefined;
    if (account.status === 'suspended') throw new AppError('account_suspended');
    await replaceAddress(within, account, email, { event: 'address_changed', isReversible: true });
    await endAddressChanges(within.em, account.id);
    return email;
  });
}

/**
 * Restores the former address of an account. Ends its sessions, apps, personal tokens and password, and
 * second factors added since a week before the change. Returns the secret of a link to choose a new password;
 * undefined for an invalid link.
 */
export async function revertAddressChange(session: Session, secret: string): Promise<string | undefined> {
  return useLink(session, 'address_reversal', secret, async (within, account, { email, formerAddressId }) => {
    const { em } = within;
    const givenUpAt = await findGivenUpAt(em, formerAddressId);
    if (givenUpAt === undefined) return undefined;
    // Sessions before the address, in the order in which signing out takes its locks (no deadlock).
    await deleteBrowserSessions(em, account.id);
    // An attacker may add a passkey before changing the address.
    await removeSecondFactorsSince(within, account.id, addSeconds(givenUpAt, -reversalSeconds));
    await replaceAddress(within, account, email, { event: 'address_restored', isReversible: false });
    return endEverything(within, account);
  });
}

/** Returns the secret of a link that removes second factors added since a week before `happenedAt`. */
export function startFactorRemoval(
  { em }: LinkSession,
  { id: accountId, email }: Account,
  happenedAt: Date,
): Promise<string> {
  const expiresAt = addSeconds(happenedAt, reversalSeconds);
  return addMailLink(em, { kind: 'factor_removal', email, accountId }, expiresAt);
}

/** For an owner locked out by an attacker's second factor. Returns the same as `revertAddressChange`. */
export async function revertSecondFactor(session: Session, secret: string): Promise<string | undefined> {
  return useLink(session, 'factor_removal', secret, async (within, account, { email, expiresAt }) => {
    // The link was made while the account got another address.
    if (account.email !== email) return undefined;
    await removeSecondFactorsSince(within, account.id, addSeconds(expiresAt, -2 * reversalSeconds));
    return endEverything(within, account);
  });
}

/**
 * Ends all access to the account and cancels a requested deletion. Returns the secret of a link to choose a
 * new password.
 */
async function endEverything(within: Session, account: Account): Promise<string> {
  account.passwordHash = unmatchableHash;
  account.credentialVersion += 1;
  account.updatedAt = within.clock.now();
  await endAccess(within, account.id);
  await cancelDeletion(within, account.id);
  return startPasswordReset(within, account.id);
}

async function findGivenUpAt(em: EntityManager, formerAddressId: string): Promise<Date | undefined> {
  const [former] = await query(em)<{ givenUpAt: Date }>`
    select given_up_at as "givenUpAt" from auth.former_address where id = ${formerAddressId}`;
  return former?.givenUpAt;
}

/** Uses a link and locks its account, in one transaction. */
async function useLink<Kind extends ChangeKind>(
  session: Session,
  kind: Kind,
  secret: string,
  work: (within: Session, account: Account, link: MailLinkOf[Kind]) => Promise<string | undefined>,
): Promise<string | undefined> {
  return runRevocation(session, async (within, affects) => {
    const link = await findMailLink(within.em, kind, secret, session.clock.now());
    const account = link === undefined ? null : await lockAccount(within.em, link.accountId);
    if (link === undefined || account === null || account.lockedAt !== null) return undefined;
    if (!(await useMailLink(within.em, secret))) return undefined;
    affects(account.id);
    return work(within, account, link);
  });
}
