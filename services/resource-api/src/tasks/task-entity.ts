import { defineEntity, p } from '@mikro-orm/core';
import { type RowOf, timestamp } from '../database/entity-rows.ts';
import type { ChecklistItem } from './checklist.ts';
import type { RecurrenceRule } from './recurrence.ts';

export const taskStatuses = ['open', 'completed', 'cancelled'] as const;
export const taskLists = ['inbox', 'someday', 'project'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export type TaskList = (typeof taskLists)[number];

export const TaskEntity = defineEntity({
  name: 'Task',
  tableName: 'task',
  schema: 'tasks',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    title: p.text(),
    description: p.text().nullable(),
    descriptionHtml: p.text(),
    rendererVersion: p.integer(),
    status: p.text().$type<TaskStatus>(),
    list: p.text().$type<TaskList>(),
    projectId: p.uuid().nullable(),
    sectionId: p.uuid().nullable(),
    dueDate: p.date().nullable(),
    deadlineDate: p.date().nullable(),
    reminderTime: p.text().nullable(),
    recurrence: p.json<RecurrenceRule>().nullable(),
    /** The start of the series; set if and only if `recurrence` is. */
    recurrenceAnchor: p.date().nullable(),
    /** The series' dates of the live occurrence; both null: the task's. */
    seriesDueDate: p.date().nullable(),
    seriesDeadlineDate: p.date().nullable(),
    checklist: p.json<ChecklistItem[]>(),
    rank: p.bigint('number'),
    /** Position within its day; null: not ordered by hand. */
    dayRank: p.bigint('number').nullable(),
    trashedAt: timestamp().nullable(),
    /** Trashed with its project, and restored with it. */
    isTrashedWithProject: p.boolean(),
    completedAt: timestamp().nullable(),
    cancelledAt: timestamp().nullable(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
});

export type Task = RowOf<typeof TaskEntity>;

const {
  accountId: _accountId,
  rendererVersion: _rendererVersion,
  isTrashedWithProject: _isTrashedWithProject,
  seriesDueDate: _seriesDueDate,
  seriesDeadlineDate: _seriesDeadlineDate,
  dayRank: _dayRank,
  ...properties
} = TaskEntity.properties;
/** The columns of responses and sort orders. */
export const listedColumns = { properties };
export type ListedTask = Pick<Task, keyof typeof properties>;

/** The day of a task in lists; it names the occurrence of a repeat. */
export function viewDate({ dueDate, deadlineDate }: Pick<Task, 'dueDate' | 'deadlineDate'>): string | null {
  return dueDate ?? deadlineDate;
}

/** The columns of a task that no longer repeats. */
export const noSeries = {
  recurrence: null,
  recurrenceAnchor: null,
  seriesDueDate: null,
  seriesDeadlineDate: null,
};
export type Series = Pick<Task, keyof typeof noSeries>;
