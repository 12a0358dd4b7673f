import type {
  AppArea,
  AppChecklistItem,
  AppProject,
  AppSection,
  AppTask,
  AppTaskDetail,
} from '#shared/app/app-protocol.ts';
import type { Area } from '../areas/area-entity.ts';
import type { Project, Section } from '../projects/project-entity.ts';
import type { Task } from '../tasks/task-entity.ts';
import { presentRecurrence } from '../tasks/task-schema.ts';

/** A task without its texts, which are counted where it is stored. */
export type ListedTask = Omit<Task, 'description' | 'descriptionHtml' | 'checklist'> & {
  hasNotes: boolean;
  checklistTotal: number;
  checklistDone: number;
};

export type ListedProject = Project & { hasLongNotes: boolean };

export function presentListedTask(task: ListedTask): AppTask {
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    list: task.list,
    projectId: task.projectId,
    sectionId: task.sectionId,
    dueDate: task.dueDate,
    deadlineDate: task.deadlineDate,
    reminderTime: task.reminderTime,
    recurrence: presentRecurrence(task),
    inTrash: task.trashedAt !== null,
    completedAt: task.completedAt,
    cancelledAt: task.cancelledAt,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    hasNotes: task.hasNotes,
    checklistTotal: task.checklistTotal,
    checklistDone: task.checklistDone,
    rank: task.rank,
    dayRank: task.dayRank,
  };
}

export function presentTaskDetail(task: Task): AppTaskDetail {
  const { description, descriptionHtml } = task;
  const checklist: AppChecklistItem[] = task.checklist.map(({ id, title, completed }) => ({
    id,
    title,
    completed,
  }));
  const counts = {
    hasNotes: description !== null,
    checklistTotal: checklist.length,
    checklistDone: checklist.filter(({ completed }) => completed).length,
  };
  return { ...presentListedTask({ ...task, ...counts }), description, descriptionHtml, checklist };
}

export function presentListedProject(project: ListedProject): AppProject {
  return {
    id: project.id,
    title: project.title,
    description: project.description,
    descriptionHtml: project.descriptionHtml,
    hasLongNotes: project.hasLongNotes,
    status: project.status,
    areaId: project.areaId,
    deadlineDate: project.deadlineDate,
    inTrash: project.trashedAt !== null,
    completedAt: project.completedAt,
    cancelledAt: project.cancelledAt,
    createdAt: project.createdAt,
    updatedAt: project.updatedAt,
    rank: project.rank,
  };
}

export function presentAppSection(section: Section): AppSection {
  const { id, projectId, title, position: rank, createdAt, updatedAt } = section;
  return { id, projectId, title, rank, createdAt, updatedAt };
}

export function presentAppArea({ id, title, rank, createdAt, updatedAt }: Area): AppArea {
  return { id, title, rank, createdAt, updatedAt };
}
