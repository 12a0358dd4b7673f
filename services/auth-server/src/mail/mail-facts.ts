import type { Scope } from '#shared/scopes.ts';
import type { AuditEvent } from '../audit/audit-event-entity.ts';
import { describeBrowser } from '../browser/describe-user-agent.ts';
import type { Session } from '../session.ts';

/** Time and origin of an event, as stored in a job. */
export type MailOrigin = Pick<AuditEvent, 'address' | 'userAgent'> & { happenedAt: string };

/** An audit event as stored in a job. `scopes`: of a connected app. */
export type SecurityEvent = Pick<AuditEvent, 'accountId' | 'event' | 'subjectName'> &
  Partial<Pick<AuditEvent, 'actor' | 'sequence'>> &
  MailOrigin & { scopes?: readonly Scope[] };

export function mailOrigin({ clock, origin }: Pick<Session, 'clock' | 'origin'>): MailOrigin {
  const { address, userAgent } = origin;
  return { happenedAt: clock.now().toISOString(), address, userAgent };
}

/** The facts of a message by label. */
export function factsOf(
  { happenedAt, userAgent, address, actor }: MailOrigin & Pick<SecurityEvent, 'actor'>,
  timeZone: string,
): [string, string][] {
  const facts: [string, string][] = [['When', formatInZone(new Date(happenedAt), timeZone)]];
  if (actor === 'operator') facts.push(['By', 'the operator of this service']);
  // Untrusted text: anybody can request a message to any address.
  if (userAgent) facts.push(['With', describeBrowser(userAgent) ?? 'an unknown program']);
  if (address) facts.push(['From', address]);
  return facts;
}

export function formatInZone(time: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });
  return `${format.format(time)} (${timeZone})`;
}
