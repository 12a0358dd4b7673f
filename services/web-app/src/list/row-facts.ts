import { timeIn } from '../dates/civil-date.ts';
import { formatDay } from '../dates/format-day.ts';
import type { TaskRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';
import { capital } from '../words/capital.ts';
import { listWords } from '../words/list-words.ts';
import type { RowStyle } from './list-group.ts';

export type RowDate = {
  text: string;
  look: 'late' | 'passed' | null;
  icon: 'today' | 'flag' | 'bell' | null;
  spoken: string | null;
};

/** Reminder, date and deadline, as far as a row shows them. */
export function datesOfRow(task: TaskRow, style: RowStyle, store: Store): RowDate[] {
  const today = store.today.value;
  const dates = [
    task.reminderTime === null ? null : reminder(task.reminderTime, hasPassed(task, store)),
    style.date === 'near' ? dueDate(task, today) : null,
    deadlineDate(task, today),
  ];
  return dates.filter((date) => date !== null);
}

/** Open with a reminder earlier today. */
export function hasPassed({ status, dueDate, reminderTime }: TaskRow, store: Store): boolean {
  if (status !== 'open' || dueDate !== store.today.value || reminderTime === null) return false;
  return reminderTime < timeIn(store.timeZone.value, store.minute.value);
}

function reminder(time: string, isPassed: boolean): RowDate {
  const text = isPassed ? `${time} ${listWords.passed}` : time;
  return { text, look: isPassed ? 'passed' : null, icon: 'bell', spoken: listWords.reminder };
}

/** A closed task is never late. */
function dueDate({ dueDate: date, status }: TaskRow, today: string): RowDate | null {
  const isOpen = status === 'open';
  if (date === null || (!isOpen && date === today)) return null;
  const isLate = isOpen && date < today;
  const spoken = isLate ? listWords.late : null;
  const icon = date === today ? 'today' : null;
  return { text: capital(formatDay(date, today)), look: isLate ? 'late' : null, icon, spoken };
}

function deadlineDate({ deadlineDate: date, status }: TaskRow, today: string): RowDate | null {
  if (date === null) return null;
  const isOpen = status === 'open';
  const text = isOpen ? listWords.deadline(date, today) : formatDay(date, today);
  const look = isOpen && date <= today ? 'late' : null;
  return { text, look, icon: 'flag', spoken: listWords.deadlineName };
}

/** On phones, a row with more than one mark has a second line. */
export function hasSecondLine(task: TaskRow, style: RowStyle): boolean {
  const marks = Number(task.hasNotes) + Number(task.checklistTotal > 0) + Number(task.recurrence !== null);
  const showsDate = style.date === 'near' && task.dueDate !== null;
  const showsProject = style.project && task.projectId !== null;
  const others = showsDate || showsProject || task.reminderTime !== null || task.deadlineDate !== null;
  return others || marks > 1;
}
