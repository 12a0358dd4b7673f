import type { ProjectRecord, TaskRecord } from './file-schema.ts';

/** A member of a record, and what is wrong with it: what no field says alone, as the database checks it. */
export type Fault = [member: string, message: string];

export function faultsOfProject({ status, completedAt, cancelledAt }: ProjectRecord): Fault[] {
  return closingFaults(status, completedAt, cancelledAt);
}

export function faultsOfTask(task: TaskRecord): Fault[] {
  const faults = closingFaults(task.status, task.completedAt, task.cancelledAt);
  const isDated = task.dueDate !== null || task.deadlineDate !== null;
  if ((task.list === 'project') !== (task.projectId !== null))
    faults.push(['projectId', 'projectId belongs to the list project, and only to it']);
  if (task.sectionId !== null && task.projectId === null)
    faults.push(['sectionId', 'sectionId needs a projectId']);
  if (task.list === 'inbox' && isDated) faults.push(['list', 'a task with a date cannot be in the inbox']);
  if (task.reminderTime !== null && task.dueDate === null)
    faults.push(['reminderTime', 'reminderTime needs a dueDate']);
  if ((task.recurrence === null) !== (task.recurrenceAnchor === null))
    faults.push(['recurrenceAnchor', 'recurrenceAnchor belongs to a recurrence, and only to it']);
  if (task.recurrence !== null && task.status !== 'open')
    faults.push(['recurrence', 'only an open task can repeat']);
  if (task.isTrashedWithProject && (task.trashedAt === null || task.projectId === null))
    faults.push(['isTrashedWithProject', 'isTrashedWithProject needs a projectId and trashedAt']);
  if (new Set(task.checklist.map(({ id }) => id.toLowerCase())).size < task.checklist.length)
    faults.push(['checklist', 'checklist has two items with the same id']);
  return faults;
}

function closingFaults(status: string, completedAt: string | null, cancelledAt: string | null): Fault[] {
  const faults: Fault[] = [];
  if ((status === 'completed') !== (completedAt !== null))
    faults.push(['completedAt', 'completedAt belongs to the status completed, and only to it']);
  if ((status === 'cancelled') !== (cancelledAt !== null))
    faults.push(['cancelledAt', 'cancelledAt belongs to the status cancelled, and only to it']);
  return faults;
}
