import type { InferType } from 'yup';
import { type Instant, presentInstant, presentOptionalInstant } from '../http/present-instant.ts';
import { effectiveWeekdays } from './recurrence.ts';
import type { Task } from './task-entity.ts';
import type { taskResponse } from './task-schema.ts';

type InstantMember = 'completedAt' | 'cancelledAt' | 'createdAt' | 'updatedAt' | 'trashedAt';
type Plain =
  | 'id'
  | 'title'
  | 'description'
  | 'descriptionHtml'
  | 'status'
  | 'list'
  | 'projectId'
  | 'sectionId';
type Schedule = 'dueDate' | 'deadlineDate' | 'reminderTime' | 'recurrence' | 'recurrenceAnchor' | 'checklist';

/** A task as an entity has it or as a read finds it: instants are Dates there and texts here. */
export type PresentableTask = Pick<Task, Plain | Schedule> & {
  [Key in InstantMember]: Instant | Exclude<Task[Key], Date>;
};

export function presentTask(task: PresentableTask): InferType<typeof taskResponse> {
  const inTrash = task.trashedAt != null;
  return {
    id: task.id,
    title: task.title,
    description: task.description ?? null,
    descriptionHtml: task.descriptionHtml,
    status: task.status,
    list: task.list,
    projectId: task.projectId ?? null,
    sectionId: task.sectionId ?? null,
    dueDate: task.dueDate ?? null,
    deadlineDate: task.deadlineDate ?? null,
    reminderTime: task.reminderTime ?? null,
    recurrence: presentRecurrence(task),
    checklist: task.checklist.map(({ id, title, completed }) => ({ id, title, completed })),
    inTrash,
    inLogbook: task.status !== 'open' && !inTrash,
    completedAt: presentOptionalInstant(task.completedAt),
    cancelledAt: presentOptionalInstant(task.cancelledAt),
    createdAt: presentInstant(task.createdAt),
    updatedAt: presentInstant(task.updatedAt),
  };
}

function presentRecurrence({ recurrence, recurrenceAnchor }: PresentableTask) {
  if (!recurrence || !recurrenceAnchor) return null;
  const { frequency, interval, fromCompletion } = recurrence;
  return {
    frequency,
    interval,
    weekdays: [...effectiveWeekdays(recurrence, recurrenceAnchor)],
    fromCompletion,
  };
}
