import { findPendingDeletion } from '../accounts/account-deletion-service.ts';
import { type Account, AccountEntity } from '../accounts/account-entity.ts';
import type { AuditEventName } from '../audit/audit-event-entity.ts';
import type { Session } from '../session.ts';
import { addressNotice } from './address-notice.ts';
import { factorUndo } from './factor-notice.ts';
import { factsOf, formatInZone, type SecurityEvent } from './mail-facts.ts';
import type { MailContent } from './mail-messages.ts';

/** `subject` names nothing that others chose. `label` is that of the link, unless it leads to the settings. */
type Notice = { subject: string; happened: string; undo: string; path: string; label?: string };

/** What an owner must learn of, whoever did it. */
const notices: Partial<Record<AuditEventName, (name: string) => Notice>> = {
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
    path: '/sign-in/forgot',
    label: 'Choose another password',
  }),
  deletion_asked: () => ({
    subject: 'Your account will be deleted',
    happened: 'Your account is scheduled for deletion. All browsers, apps and tokens have been signed out',
    undo: 'To keep the account, sign in before it is erased. If you did not ask for this, choose another password too.',
    path: '/sign-in',
    label: 'Sign in',
  }),
  deletion_cancelled: () => ({
    subject: 'Your account will not be deleted',
    happened:
      'You signed in, so your account will not be deleted. Connect your apps and create your tokens again',
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
    happened: `The second factor “${name}” was added to your account`,
    undo: 'If it was not you, remove it and choose another password.',
    path: '/settings/security',
  }),
  second_factor_removed: (name) => ({
    subject: 'A second factor of your account was removed',
    happened: `The second factor “${name}” of your account was removed`,
    undo: 'If it was not you, choose another password and set up a second factor again.',
    path: '/settings/security',
  }),
  second_factor_reset: () => ({
    subject: 'The second factors of your account were removed',
    happened: 'The operator of this service removed all second factors of your account',
    undo: 'Set one up again. If you did not ask for this, choose another password and contact the operator.',
    path: '/settings/security',
  }),
  recovery_codes_created: () => ({
    subject: 'New recovery codes were created for your account',
    happened: 'New recovery codes were created for your account; the earlier ones no longer work',
    undo: 'If it was not you, choose another password and create new ones.',
    path: '/settings/security',
  }),
  recovery_code_used: () => ({
    subject: 'A recovery code was used to sign in',
    happened: 'A recovery code of your account was used to sign in',
    undo: 'If it was not you, choose another password and create new recovery codes.',
    path: '/settings/security',
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

export function isNoticed(event: AuditEventName): boolean {
  return event === 'address_changed' || notices[event] !== undefined;
}

/** Undefined where the account is gone, or where the browser that signed in is a known one. */
export async function noticeOf(
  session: Pick<Session, 'em' | 'clock'>,
  event: SecurityEvent,
  baseUrl: string,
): Promise<{ to: string; content: MailContent } | undefined> {
  const { em } = session;
  const account = await em.findOne(AccountEntity, { id: event.accountId });
  if (account !== null && event.event === 'address_changed')
    return addressNotice(session, event, account, baseUrl);
  const notice = notices[event.event]?.(shortened(event.subjectName ?? ''));
  if (account === null || notice === undefined) return undefined;
  if (event.event === 'signed_in' && event.subjectName === null) return undefined;
  const undoLink =
    event.event === 'second_factor_added' ? await factorUndo(session, event, account) : undefined;
  const { undo, label = 'Open your settings', path } = { ...notice, ...undoLink };
  const facts = factsOf(event, account.timezone);
  if (event.event === 'deletion_asked') facts.push(...(await erasureFacts(em, account)));
  return {
    to: account.email,
    content: {
      subject: notice.subject,
      paragraphs: [`${notice.happened}.`, undo],
      facts,
      link: { label, url: `${baseUrl}${path}` },
      footnote: 'Sent because of a security-related change of your account.',
    },
  };
}

/** When the account is erased, unless the deletion was cancelled meanwhile. */
async function erasureFacts(em: Session['em'], account: Account): Promise<[string, string][]> {
  const pending = await findPendingDeletion(em, account.id);
  return pending === undefined ? [] : [['Erased after', formatInZone(pending.eraseAfter, account.timezone)]];
}

const maximumNameLength = 60;

/** A name that an app chose, without room for a message of its own. */
function shortened(name: string): string {
  const characters = [...name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')];
  if (characters.length <= maximumNameLength) return characters.join('');
  return `${characters.slice(0, maximumNameLength).join('')}…`;
}
