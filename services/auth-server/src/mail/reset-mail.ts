import { resetLifetimeMinutes } from '../accounts/password-reset-service.ts';
import { pathWithLink, resetPath } from '../sign-in/sign-in-paths.ts';
import type { MailContent } from './mail-messages.ts';

export function resetLink(secret: string, baseUrl: string): string {
  return `${baseUrl}${pathWithLink(resetPath, secret)}`;
}

const suspended =
  'The operator of this service has suspended your account: it can be read, not changed. ' +
  'A new password does not end that; only the operator can.';

export function resetMail(secret: string, baseUrl: string, isSuspended: boolean): MailContent {
  return {
    subject: 'Choose a new password',
    paragraphs: [
      'Somebody asked for a new password of your account. If it was you, choose one here.',
      `The link works once, for ${resetLifetimeMinutes} minutes. ` +
        'If it was not you, do nothing: your password stays as it is.',
      ...(isSuspended ? [suspended] : []),
    ],
    link: { label: 'Choose a new password', url: resetLink(secret, baseUrl) },
    footnote: 'Sent because this address was entered on the page for forgotten passwords.',
  };
}
