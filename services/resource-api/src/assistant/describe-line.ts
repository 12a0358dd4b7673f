import type { BriefTask } from './brief-task.ts';
import { inOneLine } from './one-line.ts';

/** A task in one line, its id at the end: what a model reads and may say on. */
export function describeLine(task: BriefTask): string {
  const facts = [
    describePlace(task),
    task.dueDate && `planned ${task.dueDate}${task.reminderTime ? ` ${task.reminderTime}` : ''}`,
    task.deadlineDate && `deadline ${task.deadlineDate}`,
    task.repeats,
    task.checklist && `checklist ${task.checklist}`,
    task.hasNotes && 'has notes',
    task.isOverdue && 'overdue',
    task.closedAt && `${task.status} ${task.closedAt}`,
    task.inTrash && 'in the Trash',
  ].filter(Boolean);
  return `${inOneLine(task.title)} (${facts.join(', ')}) [${task.id}]`;
}

function describePlace({ list, project, section }: BriefTask): string {
  if (project === undefined) return list;
  return `in ${inOneLine(project.title)}${section ? ` / ${inOneLine(section.title)}` : ''}`;
}
