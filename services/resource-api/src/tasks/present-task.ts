import type { InferType } from 'yup';
import { effectiveWeekdays } from './recurrence.ts';
import type { Task } from './task-entity.ts';
import type { taskResponse } from './task-schema.ts';

export function presentTask(task: Task): InferType<typeof taskResponse> {
  const inTrash = task.trashedAt !== null;
  return {
    id: task.id,
    title: task.title,
    description: task.description,
    descriptionHtml: task.descriptionHtml,
    status: task.status,
    list: task.list,
    projectId: task.projectId,
    sectionId: task.sectionId,
    dueDate: task.dueDate,
    deadlineDate: task.deadlineDate,
    reminderTime: task.reminderTime,
    recurrence: presentRecurrence(task),
    checklist: task.checklist.map(({ id, title, completed }) => ({ id, title, completed })),
    inTrash,
    inLogbook: task.status !== 'open' && !inTrash,
    completedAt: task.completedAt,
    cancelledAt: task.cancelledAt,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
  };
}

function presentRecurrence({ recurrence, recurrenceAnchor }: Task) {
  if (!recurrence || !recurrenceAnchor) return null;
  const { frequency, interval, fromCompletion } = recurrence;
  return {
    frequency,
    interval,
    weekdays: [...effectiveWeekdays(recurrence, recurrenceAnchor)],
    fromCompletion,
  };
}
