import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import type { Place } from './piece.ts';
import type { Entry } from './read-entry.ts';

/** Body of the public `POST /tasks`. */
export type NewTask = {
  title: string;
  description?: string;
  list?: 'inbox' | 'someday';
  projectId?: string;
  sectionId?: string;
  dueDate?: string;
  deadlineDate?: string;
  reminderTime?: string;
  recurrence?: AppRecurrence;
  checklist?: { title: string }[];
};

/** What the screen gives a task that does not say otherwise. */
export type EntryDefaults = { place: Place | null; dueDate: string | null; isSomeday: boolean };

/** Deadlines belong to Premium; on the free plan the task is added without. */
export function newTask(entry: Entry, defaults: EntryDefaults, allowsDeadlines: boolean): NewTask {
  const saysPlace = entry.place !== null || entry.isSomeday;
  const place = saysPlace ? entry.place : defaults.place;
  const isSomeday = saysPlace ? entry.isSomeday : defaults.isSomeday;
  const dueDate = entry.dueDate ?? (entry.isSomeday ? null : defaults.dueDate);
  return {
    title: entry.title,
    ...(entry.notes !== null && { description: entry.notes }),
    ...(isSomeday && { list: 'someday' as const }),
    ...(place !== null && { projectId: place.projectId }),
    ...(place !== null && place.sectionId !== null && { sectionId: place.sectionId }),
    ...(dueDate !== null && { dueDate }),
    ...(entry.deadlineDate !== null && allowsDeadlines && { deadlineDate: entry.deadlineDate }),
    ...(entry.reminderTime !== null && { reminderTime: entry.reminderTime }),
    ...(entry.recurrence !== null && { recurrence: entry.recurrence }),
  };
}
