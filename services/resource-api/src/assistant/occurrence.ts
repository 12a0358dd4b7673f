import { invalidState } from '#shared/errors/errors.ts';
import { type CalendarDate, startOfDay } from '#shared/time/calendar-date.ts';
import type { Session } from '../session.ts';
import { type Task, viewDate } from '../tasks/task-entity.ts';
import { findTask } from '../tasks/task-repository.ts';
import type { BatchStep } from './batch.ts';
import { type BriefTask, localTime } from './brief-task.ts';
import { withWeekday } from './day-words.ts';
import type { ToolCall } from './tool.ts';

type Act = 'complete' | 'skip';
const verbs = { complete: 'completed', skip: 'skipped' };
const shortMilliseconds = 10 * 60_000;

/**
 * Completes or skips the present occurrence of a repeating task, or the one that is meant. Throws invalid_state if one
 * was completed, or skipped, today and none is named: a call that is repeated must not take the next one.
 */
export async function stepOnOccurrence(
  { session }: ToolCall,
  id: string,
  act: Act,
  meant: CalendarDate | undefined,
): Promise<Omit<BatchStep, 'params'>> {
  const task = await findTask(session.db, session.account.id, id);
  if (!task?.recurrence || task.status !== 'open') return { operationId: `${act}Task` };
  const occurrence = meant ?? viewDate(task);
  if (meant === undefined) await requireNoneToday(session, task, act);
  const day = occurrence === null ? '' : ` for ${withWeekday(occurrence)}`;
  const isNext = ({ status, repeats }: BriefTask) => status === 'open' && repeats !== undefined;
  return {
    operationId: `${act}Occurrence`,
    body: { occurrence },
    ...(occurrence !== null && { occurrence }),
    // The date in its line would be taken for the one that is done.
    verbFor: (now) => `${verbs[act]}${day}${isNext(now) ? ', and at its next date now' : ''}`,
  };
}

async function requireNoneToday(session: Session, task: Task, act: Act): Promise<void> {
  const last = await findLastChangeOfDay(session, task.id);
  const { today, now, account } = session;
  const since = Math.min(startOfDay(today, account.timezone).getTime(), now.getTime() - shortMilliseconds);
  const day = viewDate(task);
  if (last === undefined || last.act !== act || Date.parse(last.at) < since || day === null) return;
  throw invalidState(
    `Nothing changed: it was ${verbs[act]} at ${localTime(session, last.at)} already; its next date is ${withWeekday(day)}. If that one is meant, too, send occurrence=${day}.`,
  );
}

type ChangeOfDay = { at: string; act: Act | null };

/** Completing moves the series' own date and logs a task; of changes that are taken back neither counts. */
async function findLastChangeOfDay({ db, account }: Session, id: string): Promise<ChangeOfDay | undefined> {
  const { rows } = await db.query<ChangeOfDay>({
    text: `select last.changed_at as at, case
          when last.is_undo or last.before ? 'recurrence'
            or not last.before ?| array['series_due_date', 'series_deadline_date'] then null
          when exists (select from tasks.change_history logged where logged.account_id = $1
            and logged.changed_at = last.changed_at and logged.change = 'created') then 'complete'
          else 'skip' end as act
      from tasks.change_history last
      where last.account_id = $1 and last.entity_id = $2 and last.before ?| array['due_date', 'deadline_date']
      order by last.sequence desc limit 1`,
    values: [account.id, id],
  });
  return rows[0];
}
