import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import { addDays, weekday } from '../dates/civil-date.ts';
import { weekdayNames } from '../dates/weekday-names.ts';
import type { CivilNow, EntryDates, Piece } from './piece.ts';
import { lastOf } from './read-entry.ts';

/** The planned date; without a day, the one implied by repeat or time. */
export function datesOf(pieces: readonly Piece[], now: CivilNow): EntryDates {
  const date = lastOf(pieces, 'date');
  const recurrence = lastOf(pieces, 'repeat')?.recurrence ?? null;
  const reminderTime = lastOf(pieces, 'time')?.time ?? date?.time ?? null;
  return { dueDate: date?.date ?? impliedDate(recurrence, reminderTime, now), reminderTime, recurrence };
}

/** A time alone is today's, or tomorrow's when it is past; a repeat starts on its first day from then on. */
export function impliedDate(
  recurrence: AppRecurrence | null,
  time: string | null,
  now: CivilNow,
): string | null {
  if (recurrence === null && time === null) return null;
  const first = time !== null && time <= now.time ? addDays(now.date, 1) : now.date;
  const days = recurrence?.weekdays ?? [];
  if (days.length === 0) return first;
  const week = recurrence?.weekOfMonth;
  const isMember = (date: string) =>
    days.includes(weekdayNames[weekday(date) - 1] ?? '') && (week === undefined || isInWeek(date, week));
  // Two whole months hold every weekday of a month.
  return Array.from({ length: 92 }, (_, offset) => addDays(first, offset)).find(isMember) ?? first;
}

/** Whether it is the month's first day with its weekday, its second, and so on; -1: its last. */
function isInWeek(date: string, week: number): boolean {
  if (week === -1) return addDays(date, 7).slice(0, 7) !== date.slice(0, 7);
  return Math.ceil(Number(date.slice(8)) / 7) === week;
}
