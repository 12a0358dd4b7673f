import type { AuditEvent } from '../audit/audit-event-entity.ts';
import { listAuditEvents } from '../audit/audit-repository.ts';
import type { Session } from '../session.ts';

export type ActivityPage = {
  events: AuditEvent[];
  /** What the next page comes before; undefined on the last one. */
  olderThan: string | undefined;
};

const eventsPerPage = 50;

/** The account's trail, newest first. */
export async function listActivity(
  { em }: Session,
  accountId: string,
  before: string | undefined,
): Promise<ActivityPage> {
  const found = await listAuditEvents(em, accountId, eventsPerPage + 1, before);
  const events = found.slice(0, eventsPerPage);
  return { events, olderThan: found.length > events.length ? events.at(-1)?.sequence : undefined };
}
