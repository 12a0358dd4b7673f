import { planLimits } from '#shared/plans.ts';
import { addDays } from '#shared/time/calendar-date.ts';
import type { Session } from '../session.ts';
import { inOneLine } from './names.ts';
import type { ToolCall } from './tool.ts';

/** Lines that keep an empty list from being taken for an answer that it is not. */

/** Of a project that is closed. */
export async function noteOnProject(
  { session: { db, account } }: Pick<ToolCall, 'session'>,
  projectId: string | undefined,
): Promise<string[]> {
  if (projectId === undefined) return [];
  const { rows } = await db.query<{ title: string; status: string }>({
    text: `select title, status from tasks.project where account_id = $1 and id = $2 and status <> 'active'`,
    values: [account.id, projectId],
  });
  return rows.map(({ title, status }) => `The project «${inOneLine(title)}» is ${status}.`);
}

/** Of a plan whose logbook begins after what was asked for. */
export function noteOnLogbook(
  { account, today }: Session,
  { view, closedFrom = '' }: { view?: string | undefined; closedFrom?: string | undefined },
): string[] {
  const { logbookDays } = planLimits[account.plan];
  if (view !== 'logbook' || logbookDays === null) return [];
  const first = addDays(today, -logbookDays);
  if (closedFrom >= first) return [];
  return [`The logbook of the ${account.plan} plan goes back ${logbookDays} days, to ${first}.`];
}
