import { invalidField } from '#shared/errors/errors.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';
import type { OccurrenceDates } from './recurrence.ts';
import type { TaskList } from './task-entity.ts';

/** The list of a task, and its section in a project. */
export type Placement = { list: TaskList; projectId: string | null; sectionId: string | null };

/** A requested destination. `sectionId: null` is the root of a project. */
type DestinationInput = {
  list?: TaskList | undefined;
  projectId?: string | undefined;
  sectionId?: string | null | undefined;
};

/** A list outside projects, or a place in a project, not yet looked up. */
export type Destination =
  | { kind: 'list'; list: 'inbox' | 'someday' | undefined }
  | { kind: 'project'; projectId: string | undefined; sectionId: string | undefined };

/** Parses a destination. Throws validation_error on `list` if it contradicts the ids. */
export function readDestination({ list, projectId, sectionId }: DestinationInput): Destination {
  const namesProject = projectId !== undefined || typeof sectionId === 'string';
  if (list === 'project' && !namesProject)
    throw invalidField('list', 'list project needs a projectId or a sectionId');
  if (list !== undefined && list !== 'project' && namesProject) {
    throw invalidField('list', `list ${list} can't be combined with a projectId or a sectionId`);
  }
  if (!namesProject) return { kind: 'list', list: list === 'project' ? undefined : list };
  return {
    kind: 'project',
    projectId: projectId?.toLowerCase(),
    sectionId: typeof sectionId === 'string' ? sectionId.toLowerCase() : undefined,
  };
}

/** Ends the refusal of a closed project; nothing opens a cancelled one. */
export function wayToOpen(status: string): string {
  return status === 'completed' ? '; uncomplete it first' : '';
}

/** A task with a `dueDate` or a deadline can't stay in the inbox (specification §2, task rule 1). */
export function listFor(
  wanted: 'inbox' | 'someday' | undefined,
  { dueDate, deadlineDate }: OccurrenceDates,
): 'inbox' | 'someday' {
  const isDated = dueDate !== null || deadlineDate !== null;
  return isDated ? 'someday' : (wanted ?? 'inbox');
}

export function outsideProjects(destination: Destination, dates: OccurrenceDates): Placement {
  const wanted = destination.kind === 'list' ? destination.list : undefined;
  return { list: listFor(wanted, dates), projectId: null, sectionId: null };
}

/** Throws validation_error: a reminder is a time on the `dueDate`. */
export function requireDateForReminder(dueDate: CalendarDate | null, reminderTime: string | null): void {
  if (reminderTime !== null && dueDate === null) {
    throw invalidField('reminderTime', 'reminderTime needs a dueDate');
  }
}
