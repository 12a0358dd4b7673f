import type { AuditEvent } from '../audit/audit-event-entity.ts';
import { listAuditEvents } from '../audit/audit-trail.ts';
import { runOnAccount } from './account-admin.ts';

/** `at`: time of the event. The other fields are those of the audit trail. */
type EventAnswer = { at: Date } & Pick<
  AuditEvent,
  'event' | 'actor' | 'subjectId' | 'subjectName' | 'address' | 'userAgent'
>;

/** The newest `limit` events of the account, newest first. Throws not_found. */
export function showAuditTrail(databaseUrl: string, email: string, limit: number): Promise<EventAnswer[]> {
  return runOnAccount({ databaseUrl }, email, async ({ em }, { id }) =>
    (await listAuditEvents(em, id, limit)).map(present),
  );
}

function present(stored: AuditEvent): EventAnswer {
  const { happenedAt, event, actor, subjectId, subjectName, address, userAgent } = stored;
  return { at: happenedAt, event, actor, subjectId, subjectName, address, userAgent };
}
