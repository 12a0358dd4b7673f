import { daysBetween } from '../dates/civil-date.ts';
import { formatDay } from '../dates/format-day.ts';
import type { TaskRow } from '../store/row-types.ts';
import { capital } from '../words/capital.ts';
import { listWords } from '../words/list-words.ts';
import type { RowStyle } from './list-group.ts';

export type RowDate = { text: string; isLate: boolean; icon: 'today' | 'flag' | null; spoken: string | null };

/** What a row tells of a task besides its title. */
export type RowFacts = {
  hasNotes: boolean;
  checklist: string | null;
  repeats: boolean;
  reminder: string | null;
  due: RowDate | null;
  deadline: RowDate | null;
};

export function rowFacts(task: TaskRow, style: RowStyle, today: string): RowFacts {
  return {
    hasNotes: task.hasNotes,
    checklist: task.checklistTotal > 0 ? `${task.checklistDone}/${task.checklistTotal}` : null,
    repeats: task.recurrence !== null,
    reminder: task.reminderTime,
    due: style.date === 'near' && task.dueDate !== null ? dueDate(task.dueDate, today) : null,
    deadline: task.deadlineDate === null ? null : deadlineDate(task.deadlineDate, today),
  };
}

function dueDate(date: string, today: string): RowDate {
  const isLate = date < today;
  const spoken = isLate ? listWords.late : null;
  return { text: capital(formatDay(date, today)), isLate, icon: date === today ? 'today' : null, spoken };
}

function deadlineDate(date: string, today: string): RowDate {
  const text = listWords.deadline(daysBetween(today, date));
  return { text, isLate: date <= today, icon: 'flag', spoken: listWords.deadlineName };
}

/** On phones, a row with more than one small mark has a second line. */
export function hasSecondLine(task: TaskRow, style: RowStyle): boolean {
  const marks = [task.hasNotes, task.checklistTotal > 0, task.recurrence !== null].filter(Boolean).length;
  const showsDate = style.date === 'near' && task.dueDate !== null;
  const showsProject = style.project && task.projectId !== null;
  const others = showsDate || showsProject || task.reminderTime !== null || task.deadlineDate !== null;
  return others || marks > 1;
}
