import { type InferType, number, object, string } from 'yup';
import {
  calendarDate,
  closedObject,
  enumeration,
  flag,
  integer,
  listOf,
  text,
  timestamp,
  title,
  uuid,
} from '#shared/validation/fields.ts';
import {
  longestChecklist,
  longestNotes,
  longestTitle,
  mostSections,
} from '#shared/validation/text-limits.ts';
import { projectStatuses } from '../projects/project-entity.ts';
import { recurrenceInput } from '../tasks/recurrence-schema.ts';
import { taskLists, taskStatuses } from '../tasks/task-entity.ts';
import { taskFields } from '../tasks/task-schema.ts';
import { fileFormat, fileVersion } from './file-format.ts';

/** Far above normal use; limits the ids kept in memory while a file is read. */
export const mostGroups = 100_000;
const mostTasks = 10_000_000;

const count = (maximum: number) => integer(0, maximum).defined();
const instant = () => timestamp().defined();
const notes = () => text(longestNotes).nullable().defined();

const notExported = `this is not a file that was exported here: its format must be ${fileFormat}`;

const origin = {
  format: string().oneOf([fileFormat], notExported).defined(notExported),
  version: number()
    .oneOf([fileVersion], `version must be ${fileVersion}: the file was made by another release`)
    .defined(),
};
/** Checked beside further members. */
export const fileOrigin = object(origin);

export const fileMembers = closedObject({
  ...origin,
  counts: closedObject({
    areas: count(mostGroups),
    projects: count(mostGroups),
    sections: count(mostGroups),
    tasks: count(mostTasks),
  }).defined(),
});

export const areaRecord = closedObject({
  id: uuid().defined(),
  title: title(longestTitle).defined(),
  createdAt: instant(),
  updatedAt: instant(),
}).defined();

export const projectRecord = closedObject({
  id: uuid().defined(),
  areaId: uuid().nullable().defined(),
  title: title(longestTitle).defined(),
  description: notes(),
  status: enumeration(projectStatuses).defined(),
  deadlineDate: calendarDate().nullable().defined(),
  trashedAt: instant().nullable(),
  completedAt: instant().nullable(),
  cancelledAt: instant().nullable(),
  createdAt: instant(),
  updatedAt: instant(),
  sections: listOf(areaRecord, mostSections).defined(),
}).defined();

export const taskRecord = closedObject({
  id: uuid().defined(),
  title: title(longestTitle).defined(),
  description: notes(),
  status: enumeration(taskStatuses).defined(),
  list: enumeration(taskLists).defined(),
  projectId: uuid().nullable().defined(),
  sectionId: uuid().nullable().defined(),
  // Files of earlier releases lack fields that came later.
  ...taskFields,
  dueDate: taskFields.dueDate.defined(),
  deadlineDate: taskFields.deadlineDate.defined(),
  reminderTime: taskFields.reminderTime.defined(),
  recurrence: recurrenceInput.nullable().defined(),
  recurrenceAnchor: calendarDate().nullable().defined(),
  // Files of earlier releases lack them: stored as null.
  seriesDueDate: calendarDate().nullable(),
  seriesDeadlineDate: calendarDate().nullable(),
  checklist: listOf(
    closedObject({
      id: uuid().defined(),
      title: title(longestTitle).defined(),
      completed: flag().defined(),
    }).defined(),
    longestChecklist,
  ).defined(),
  dayPlace: integer(0, mostTasks).nullable().defined(),
  trashedAt: instant().nullable(),
  isTrashedWithProject: flag().defined(),
  completedAt: instant().nullable(),
  cancelledAt: instant().nullable(),
  createdAt: instant(),
  updatedAt: instant(),
}).defined();

export type ProjectRecord = InferType<typeof projectRecord>;
export type TaskRecord = InferType<typeof taskRecord>;
