import { invalidField } from '#shared/errors/errors.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';
import { closedObject } from '#shared/validation/fields.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import {
  anchorFor,
  differsOnlyInEnd,
  isUnchanged,
  mergeRule,
  normaliseRule,
  type RecurrenceRule,
  seriesDatesAfter,
  seriesDatesOf,
} from './recurrence.ts';
import { recurrenceInput } from './recurrence-schema.ts';
import { noSeries, type Series, type Task } from './task-entity.ts';
import type { TaskPatch } from './task-schema.ts';

type Dates = Pick<Task, 'dueDate' | 'deadlineDate'>;

/** The series starts at the task's dates. Throws validation_error if it would end before. */
export function startSeries(rule: RecurrenceRule | null, dates: Dates, today: CalendarDate): Series {
  if (rule === null) return noSeries;
  const anchor = anchorFor(dates, today);
  requireEndAfter(rule, anchor);
  return {
    recurrence: rule,
    recurrenceAnchor: anchor,
    seriesDueDate: dates.dueDate,
    seriesDeadlineDate: dates.deadlineDate,
  };
}

/** Throws validation_error if `until`, the last possible day, is before `date`. */
function requireEndAfter({ until }: RecurrenceRule, date: CalendarDate): void {
  if (until === undefined || until >= date) return;
  throw invalidField('recurrence', `recurrence.until must not be before the task’s date, ${date}`);
}

/**
 * A changed rule, or one sent with a date, restarts the series at the new dates; a changed end does not. A
 * date alone moves this occurrence.
 */
export function seriesAfter(
  task: Task,
  patch: TaskPatch,
  rule: RecurrenceRule | null,
  dates: Dates,
  today: CalendarDate,
): Partial<Series> {
  const { recurrence: kept } = task;
  if (rule === null) return kept === null ? {} : startSeries(null, dates, today);
  const series = seriesDatesOf(task);
  const isDateSent = patch.dueDate !== undefined || patch.deadlineDate !== undefined;
  const isMoved = dates.dueDate !== series.dueDate || dates.deadlineDate !== series.deadlineDate;
  const isStartedAnew =
    kept === null || !differsOnlyInEnd(kept, rule) || (patch.recurrence && isDateSent && isMoved);
  if (isStartedAnew) return startSeries(rule, dates, today);
  if (rule !== kept) requireEndAfter(rule, series.dueDate ?? series.deadlineDate ?? today);
  const after = seriesDatesAfter(series, task, dates);
  const isTouched = dates.dueDate !== task.dueDate || dates.deadlineDate !== task.deadlineDate;
  return {
    recurrence: rule,
    ...(isTouched && { seriesDueDate: after.dueDate, seriesDeadlineDate: after.deadlineDate }),
  };
}

const patchedRule = closedObject({ recurrence: recurrenceInput.defined() });

/** Returns the same object unless the patch changes the rule. */
export function ruleAfter(task: Task, patch: TaskPatch['recurrence']): RecurrenceRule | null {
  const { recurrence: kept, recurrenceAnchor: anchor } = task;
  if (!patch) return patch === null ? null : kept;
  const { recurrence } = validateInput(patchedRule, { recurrence: mergeRule(kept, patch) }, 'body');
  const merged = normaliseRule(recurrence);
  return kept && anchor && isUnchanged(kept, merged, patch, anchor) ? kept : merged;
}
