import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
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
    /** The date the series counts from; set exactly when `recurrence` is. */
    recurrenceAnchor: p.date().nullable(),
    checklist: p.json<ChecklistItem[]>(),
    rank: p.bigint('number'),
    trashedAt: p.datetime(3).nullable(),
    /** Went to the Trash with its project, and comes back with it. */
    isTrashedWithProject: p.boolean().default(false),
    completedAt: p.datetime(3).nullable(),
    cancelledAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Task = InferEntity<typeof TaskEntity>;
