import type { NewTask } from '../store/task-drafts.ts';
import type { Place } from './piece.ts';
import type { Entry } from './read-entry.ts';

/** The screen's defaults for a task. */
export type EntryDefaults = {
  place: Place | null;
  dueDate: string | null;
  isSomeday: boolean;
  /** The screen does not show the Inbox, so task and message name it. */
  namesInbox?: boolean;
};

export function newTask(entry: Entry, defaults: EntryDefaults): NewTask {
  const saysPlace = entry.place !== null || entry.isSomeday;
  const place = saysPlace ? entry.place : defaults.place;
  const isSomeday = saysPlace ? entry.isSomeday : defaults.isSomeday;
  const dueDate = entry.dueDate ?? (entry.isSomeday ? null : defaults.dueDate);
  const isInInbox = place === null && dueDate === null && !isSomeday;
  return {
    title: entry.title,
    ...(entry.notes && { description: entry.notes }),
    ...(isSomeday && { list: 'someday' as const }),
    ...(defaults.namesInbox && isInInbox && { list: 'inbox' as const }),
    ...(place && { projectId: place.projectId }),
    ...(place?.sectionId && { sectionId: place.sectionId }),
    ...(dueDate && { dueDate }),
    ...(entry.deadlineDate && { deadlineDate: entry.deadlineDate }),
    ...(entry.reminderTime && { reminderTime: entry.reminderTime }),
    ...(entry.recurrence && { recurrence: entry.recurrence }),
  };
}
