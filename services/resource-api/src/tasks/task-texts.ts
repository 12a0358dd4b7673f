import type { TextRow } from '#shared/database/text-query.ts';
import { shortJson, shortNotes } from '../database/page-texts.ts';
import type { ChecklistItem } from './checklist.ts';
import type { PresentableTask } from './present-task.ts';
import type { RecurrenceRule } from './recurrence.ts';
import type { TaskList, TaskStatus } from './task-entity.ts';
import type { SortColumn } from './task-views.ts';

const columns = [
  'id',
  'title',
  'description',
  'description_html',
  'status',
  'list',
  'project_id',
  'section_id',
  'due_date',
  'deadline_date',
  'reminder_time',
  'recurrence',
  'recurrence_anchor',
  'checklist',
  'trashed_at',
  'completed_at',
  'cancelled_at',
  'created_at',
  'updated_at',
] as const;

/** What lists are sorted by and a task does not show. */
const furtherSortColumns = ['rank', 'view_date', 'closed_at'] as const;
const listedColumns: readonly (SortColumn | (typeof columns)[number])[] = [...columns, ...furtherSortColumns];

/** The columns of a `TaskTexts`, in its order. */
export const taskColumns = columns.join(', ');
/** The same, and those that `sortText` reads besides. */
export const listedTaskColumns = listedColumns.join(', ');
/** The same, without long notes and checklists. */
export const shortTaskColumns = listedColumns.map(withoutLongTexts).join(', ');

/** A row of `taskColumns` as the database writes it; more columns may follow. */
export type TaskTexts = readonly [
  id: string,
  title: string,
  description: string | null,
  descriptionHtml: string,
  status: TaskStatus,
  list: TaskList,
  projectId: string | null,
  sectionId: string | null,
  dueDate: string | null,
  deadlineDate: string | null,
  reminderTime: string | null,
  recurrence: string | null,
  recurrenceAnchor: string | null,
  checklist: string,
  trashedAt: string | null,
  completedAt: string | null,
  cancelledAt: string | null,
  createdAt: string,
  updatedAt: string,
  ...further: (string | null)[],
];

export function readTaskTexts(texts: TaskTexts): PresentableTask {
  const recurrence: RecurrenceRule | null = texts[11] === null ? null : JSON.parse(texts[11]);
  const checklist: ChecklistItem[] = JSON.parse(texts[13]);
  return {
    id: texts[0],
    title: texts[1],
    description: texts[2],
    descriptionHtml: texts[3],
    status: texts[4],
    list: texts[5],
    projectId: texts[6],
    sectionId: texts[7],
    dueDate: texts[8],
    deadlineDate: texts[9],
    reminderTime: texts[10],
    recurrence,
    recurrenceAnchor: texts[12],
    checklist,
    trashedAt: texts[14],
    completedAt: texts[15],
    cancelledAt: texts[16],
    createdAt: texts[17],
    updatedAt: texts[18],
  };
}

function withoutLongTexts(column: string): string {
  if (column === 'checklist') return shortJson(column);
  return column === 'description' || column === 'description_html' ? shortNotes(column) : column;
}

/** Whether a row of `shortTaskColumns` lacks some of its texts: neither column of a task is ever null. */
export function lacksTexts({ 3: descriptionHtml, 13: checklist }: TextRow): boolean {
  return descriptionHtml === null || checklist === null;
}

/** Of a row that was measured (`page-texts.ts`): whether another one follows it. */
export function goesOn(row: TextRow | undefined): boolean {
  return row?.[listedColumns.length] === 't';
}

/** Of a row of `listedTaskColumns`: what it is sorted by. */
export function sortText(texts: TaskTexts, column: SortColumn): string {
  return String(texts[listedColumns.indexOf(column)]);
}
