import { describeScopes } from '#shared/scopes.ts';
import { addSeconds } from '#shared/time/clock.ts';
import { reversalDays } from '../accounts/account-address.ts';
import { findPendingDeletion } from '../accounts/account-deletion-service.ts';
import { type Account, AccountEntity } from '../accounts/account-entity.ts';
import { startFactorRemoval } from '../accounts/address-change-service.ts';
import { AuditEventEntity, type AuditEventName } from '../audit/audit-event-entity.ts';
import { shorten, withoutUnseen } from '../html/text.ts';
import { authenticatorAppName } from '../second-factor/authenticator-app-service.ts';
import { findRecoveryCodes } from '../second-factor/recovery-code-service.ts';
import { hasSecondFactor, hasSecondFactorFromBefore } from '../second-factor/second-factor-service.ts';
import type { Session } from '../session.ts';
import {
  forgotPath,
  pathWithLink,
  securityPath,
  signInPath,
  undoFactorPath,
} from '../sign-in/sign-in-paths.ts';
import {
  type AddressedNotice,
  addressNotice,
  type NoticeSession,
  restoredNotice,
} from './address-notices.ts';
import { factsOf, formatInZone, type SecurityEvent } from './mail-facts.ts';

/** `subject` contains no untrusted text. `label`: of a link that does not lead to the settings. */
type Notice = { subject: string; happened: string; undo: string; path?: string; label?: string };

/** Events that the owner is notified of, by any actor. */
const notices: Partial<Record<AuditEventName, (name: string) => Notice>> = {
  sign_in_failed: () => ({
    subject: 'Somebody entered your password, and wrong codes',
    happened:
      'The password of your account was entered, and then a wrong code, ' +
      `${noticedWrongCodes} times within a day`,
    undo: 'If it was not you, somebody knows your password: choose another one.',
    path: forgotPath,
    label: 'Choose another password',
  }),
  signed_in: () => ({
    subject: 'A new browser signed in',
    happened: 'A new browser signed in to your account',
    undo: 'If it was not you, sign it out and choose another password.',
    path: '/settings/sessions',
  }),
  password_changed: () => ({
    subject: 'The password of your account was changed',
    happened: 'The password of your account was changed',
    undo: 'If it was not you, choose another one on the page for forgotten passwords.',
    path: forgotPath,
    label: 'Choose another password',
  }),
  deletion_asked: () => ({
    subject: 'Your account will be deleted',
    happened:
      'Your account is scheduled for deletion. ' +
      'All browsers are signed out, all apps are disconnected, and all tokens are revoked',
    undo:
      'To keep the account, sign in before it is erased. ' +
      'If you did not ask for this, choose another password too.',
    path: signInPath,
    label: 'Sign in',
  }),
  deletion_cancelled: () => ({
    subject: 'Your account will not be deleted',
    happened:
      'You signed in, or took your account back, so it will not be deleted. ' +
      'Connect your apps and create your tokens again',
    undo: 'If it was not you, choose another password.',
    path: '/settings',
  }),
  export_made: () => ({
    subject: 'Everything in your account was exported',
    happened: 'All tasks, projects and notes of your account were exported to a file',
    undo: 'If it was not you, sign out all other browsers and choose another password.',
    path: '/settings/sessions',
  }),
  second_factor_added: (name) => ({
    subject: 'A second factor was added to your account',
    happened: `${describeFactor(name)} was added to your account as a second factor`,
    undo: 'If it was not you, remove it and choose another password.',
    path: securityPath,
  }),
  second_factor_removed: (name) => ({
    subject: 'A second factor of your account was removed',
    happened: `${describeFactor(name)} of your account was removed`,
    undo: 'If it was not you, choose another password and set up a second factor again.',
    path: securityPath,
  }),
  second_factor_reset: () => ({
    subject: 'The second factors of your account were removed',
    happened: 'The operator of this service removed all second factors of your account',
    undo: 'Set one up again. If you did not ask for this, choose another password and contact the operator.',
    path: securityPath,
  }),
  recovery_codes_created: () => ({
    subject: 'New recovery codes were created for your account',
    happened: 'New recovery codes were created for your account; the earlier ones no longer work',
    undo: 'If it was not you, choose another password and create new ones.',
    path: securityPath,
  }),
  recovery_code_used: () => ({
    subject: 'A recovery code was used to sign in',
    happened: 'A recovery code of your account was used to sign in',
    undo: 'If it was not you, choose another password and create new recovery codes.',
    path: securityPath,
  }),
  token_created: (name) => ({
    subject: 'A personal token was created',
    happened: `The personal token “${name}” was created`,
    undo: 'If it was not you, revoke it and choose another password.',
    path: '/settings/api',
  }),
  app_connected: (name) => ({
    subject: 'An app was connected',
    happened: `The app “${name}” was connected to your account`,
    undo: 'If it was not you, disconnect it and choose another password.',
    path: '/settings/apps',
  }),
  app_token_reused: (name) => ({
    subject: 'An app was disconnected',
    happened: `The app “${name}” was disconnected, because one of its tokens was used twice`,
    undo: 'Somebody else may have a copy of it. Connect the app again if you trust it.',
    path: '/settings/apps',
  }),
};

/** In the audit trail an authenticator app has a fixed name, a passkey the name that its owner chose. */
function describeFactor(name: string): string {
  return name === authenticatorAppName ? 'An authenticator app' : `The passkey “${name}”`;
}

/** More failures in a day than the owner's own mistakes. */
const noticedWrongCodes = 5;

export function isNoticed({ event, subjectName }: SecurityEvent): boolean {
  // Anybody can send a wrong password; a wrong code follows a correct one.
  if (event === 'sign_in_failed') return subjectName !== null;
  return event === 'address_changed' || event === 'address_restored' || notices[event] !== undefined;
}

/** undefined if the account is gone, or if the browser that signed in is known. */
export async function noticeOf(
  session: NoticeSession,
  event: SecurityEvent,
  baseUrl: string,
): Promise<AddressedNotice | undefined> {
  const { em } = session;
  const account = await em.findOne(AccountEntity, { id: event.accountId });
  if (account !== null && event.event === 'address_changed')
    return addressNotice(session, event, account, baseUrl);
  if (account !== null && event.event === 'address_restored') return restoredNotice(event, account);
  const notice = notices[event.event]?.(shortened(event.subjectName ?? ''));
  if (account === null || notice === undefined) return undefined;
  if (event.event === 'signed_in' && event.subjectName === null) return undefined;
  if (event.event === 'sign_in_failed' && (await countWrongCodes(em, event)) !== noticedWrongCodes)
    return undefined;
  const changed = await presentNotice(session, event, account);
  const { subject, happened, undo, label = 'Open your settings', path } = { ...notice, ...changed };
  const facts = factsOf(event, account.timezone);
  if (event.scopes !== undefined) facts.unshift(['Allowed', describeScopes(event.scopes)]);
  if (event.event === 'recovery_code_used')
    facts.push(['Codes left', String((await findRecoveryCodes(session, account.id)).left)]);
  if (changed?.erasedAfter) facts.push(['Erased after', formatInZone(changed.erasedAfter, account.timezone)]);
  return {
    to: account.email,
    content: {
      subject,
      paragraphs: [`${happened}.`, undo],
      facts,
      ...(path !== undefined && { link: { label, url: `${baseUrl}${path}` } }),
      footnote: 'Sent because of a security-related change of your account.',
    },
  };
}

/** Up to this one, within 24 hours. By their sequence: guesses that are sent at once have one time. */
function countWrongCodes(
  em: Session['em'],
  { accountId, event, happenedAt, sequence }: SecurityEvent,
): Promise<number> {
  return em.count(AuditEventEntity, {
    accountId,
    event,
    subjectName: { $ne: null },
    happenedAt: { $gt: addSeconds(new Date(happenedAt), -86_400) },
    ...(sequence && { sequence: { $lte: sequence } }),
  });
}

const factorEvents = new Set<AuditEventName>(['second_factor_added', 'second_factor_removed']);
const noFactorLeft =
  'Your password alone signs you in now. ' +
  'If it was not you, choose another one and set up a second factor again.';

/**
 * The link for an owner whom an attacker's second factors lock out. undefined if a factor older than a week
 * lets the owner in, or none is required.
 */
async function factorUndo(
  session: NoticeSession,
  event: SecurityEvent,
  account: Account,
): Promise<Partial<Notice> | undefined> {
  const happenedAt = new Date(event.happenedAt);
  // An attacker may add a passkey and then remove the owner's factors.
  const start = addSeconds(happenedAt, -reversalDays * 86_400);
  if (await hasSecondFactorFromBefore(session, account.id, start)) return undefined;
  if (!(await hasSecondFactor(session, account.id)))
    return event.event === 'second_factor_removed' ? { undo: noFactorLeft } : undefined;
  const secret = await startFactorRemoval(session, account, happenedAt);
  return {
    undo:
      `If it was not you, open this link: it works for ${reversalDays} days. ` +
      'It removes second factors that were added in the week before this message or since, ' +
      'signs out every browser and app, revokes personal tokens, and asks you for another password.',
    path: pathWithLink(undoFactorPath, secret),
    label: 'It was not me',
  };
}

const cancelledDeletion: Partial<Notice> = {
  subject: 'Your account was to be deleted',
  happened:
    'Your account was scheduled for deletion. ' +
    'All browsers were signed out, all apps disconnected, and all tokens revoked',
  undo:
    'The deletion was cancelled since: the account is kept. ' +
    'If you did not ask for it, choose another password.',
  path: forgotPath,
  label: 'Choose another password',
};

const dueDeletion: Partial<Notice> = {
  subject: 'Your account is being deleted',
  happened:
    'Your account is being deleted. ' +
    'All browsers are signed out, all apps are disconnected, and all tokens are revoked',
  undo:
    'Your data is erased at once and cannot be restored. ' +
    'If you did not ask for this, contact the operator of this service.',
  path: undefined,
};

/** What of a notice depends on the account's present state. */
async function presentNotice(
  session: NoticeSession,
  event: SecurityEvent,
  account: Account,
): Promise<(Partial<Notice> & { erasedAfter?: Date }) | undefined> {
  if (factorEvents.has(event.event)) return factorUndo(session, event, account);
  if (event.event !== 'deletion_asked') return undefined;
  const pending = await findPendingDeletion(session.em, account.id);
  if (pending === undefined) return cancelledDeletion;
  const isDue = pending.hasBegun || pending.eraseAfter <= session.clock.now();
  return isDue ? dueDeletion : { erasedAfter: pending.eraseAfter };
}

const maximumNameLength = 60;

/** An app's name, shortened so that it can't contain a message. */
function shortened(name: string): string {
  return shorten(withoutUnseen(name), maximumNameLength);
}
