import { type CalendarDate, startOfDay } from '#shared/time/calendar-date.ts';
import type { Session } from '../session.ts';
import { seriesDatesOf } from '../tasks/recurrence.ts';
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
 * Completes or skips the current or the named occurrence of a repeating task. Does nothing if none is named
 * and one was completed or skipped today: a repeated call must not affect the next occurrence.
 */
export async function stepOnOccurrence(
  call: ToolCall,
  id: string,
  act: Act,
  meant: CalendarDate | undefined,
): Promise<Omit<BatchStep, 'params'>> {
  const task = await findTask(call.session, id);
  if (!task?.recurrence || task.status !== 'open') return { operationId: `${act}Task` };
  const already = meant === undefined ? await describeDoneToday(call, task, act) : undefined;
  if (already !== undefined) return { operationId: null, already };
  const occurrence = meant ?? viewDate(task);
  const day = occurrence === null ? '' : ` for ${withWeekday(occurrence)}`;
  const further = ({ dueDate, deadlineDate }: BriefTask) =>
    `, and at its next date now (to ${act} that, too: occurrence=${dueDate ?? deadlineDate})`;
  const isNext = ({ status, repeats }: BriefTask) => status === 'open' && repeats !== undefined;
  return {
    operationId: `${act}Occurrence`,
    body: { occurrence },
    logs: act === 'complete',
    ...(occurrence !== null && { occurrence }),
    // The task's line has the next date, which would be taken for the completed one.
    verbFor: (now) => `${verbs[act]}${day}${isNext(now) ? further(now) : ''}`,
  };
}

async function describeDoneToday(
  { session, canRead }: ToolCall,
  task: Task,
  act: Act,
): Promise<string | undefined> {
  const { dueDate, deadlineDate } = seriesDatesOf(task);
  // The series is at its start, so no occurrence was completed or skipped.
  if ((dueDate ?? deadlineDate) === task.recurrenceAnchor) return undefined;
  const last = await findLastChangeOfDay(session, task.id);
  const { today, now, account } = session;
  const since = Math.min(startOfDay(today, account.timezone).getTime(), now.getTime() - shortMilliseconds);
  if (last?.act !== act || Date.parse(last.at) < since) return undefined;
  const named = canRead ? `=${viewDate(task)}` : '';
  return (
    `it was ${verbs[act]} at ${localTime(session, last.at)} already; ` +
    `if its next date is meant, too, send occurrence${named}`
  );
}

type ChangeOfDay = { at: string; act: Act | null };

/** Completing moves the series' date and logs a task. Undone changes do not count. */
async function findLastChangeOfDay({ db, account }: Session, id: string): Promise<ChangeOfDay | undefined> {
  const { rows } = await db.query<ChangeOfDay>({
    text: `select last.changed_at as at, case
          when last.is_undo or last.before ? 'recurrence'
            or not last.before ?| array['series_due_date', 'series_deadline_date'] then null
          when exists (select from tasks.change_history logged where logged.account_id = $1
            and logged.changed_at = last.changed_at and logged.change = 'created') then 'complete'
          else 'skip' end as act
      from tasks.change_history last
      where last.account_id = $1 and last.entity_id = $2
        and last.before ?| array['due_date', 'deadline_date', 'series_due_date', 'series_deadline_date']
      order by last.sequence desc limit 1`,
    values: [account.id, id],
  });
  return rows[0];
}
