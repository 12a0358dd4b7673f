import { foreignText } from '../html/foreign-text.ts';
import { type Html, html } from '../html/html.ts';
import type { AuditEvent, AuditEventName } from './audit-event-entity.ts';
import type { Origin } from './origin.ts';

/** What happened, as a sentence without its full stop. */
export function presentAuditEvent({ event, subjectName }: Pick<AuditEvent, 'event' | 'subjectName'>): Html {
  const name = subjectName == null ? undefined : html`“${foreignText(subjectName)}”`;
  return sentences[event](name);
}

/** Who did it, to the owner of the account. */
export const actorWords: Readonly<Record<Origin['actor'], string>> = {
  owner: 'by you',
  app: 'by the app',
  operator: 'by whoever runs this service',
  service: 'automatically',
};

const sentences: Readonly<Record<AuditEventName, (name: Html | undefined) => Html>> = {
  account_created: () => html`The account was created`,
  signed_in: () => html`Signed in`,
  signed_out: () => html`Signed out`,
  session_ended: (name) =>
    name === undefined ? html`All other browsers were signed out` : html`${name} was signed out`,
  password_changed: () => html`The password was changed`,
  token_created: (name) => html`Token ${name} was created`,
  token_revoked: (name) => html`Token ${name} was revoked`,
  app_connected: (name) => html`${name} was connected`,
  app_disconnected: (name) => html`${name} was disconnected`,
  app_token_reused: (name) =>
    html`${name} was disconnected, because one of its tokens came twice: somebody else may have it`,
};
