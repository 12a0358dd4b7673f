import type {
  AppArea,
  AppEntity,
  AppProject,
  AppSection,
  AppTask,
  AppTaskDetail,
  ClosedTaskCounts,
} from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import { type Area, AreaEntity } from '../areas/area-entity.ts';
import { columnsOf } from '../database/entity-rows.ts';
import { notesBytes } from '../database/page-size-limit.ts';
import { shownMembers } from '../http/shown-members.ts';
import { type Project, ProjectEntity, type Section, SectionEntity } from '../projects/project-entity.ts';
import { type Task, TaskEntity } from '../tasks/task-entity.ts';
import { presentRecurrence, taskFields } from '../tasks/task-schema.ts';

/** The columns selected for the app, and the members sent. */
export type ListedRows<Row, Sent> = {
  table: AppEntity;
  columns: string;
  present(row: Row): Sent;
};

/** A task without its texts, whose lengths are stored with it. */
export type ListedTaskRow = Omit<Task, 'description' | 'descriptionHtml' | 'checklist'> & {
  hasNotes: boolean;
  checklistTotal: number;
  checklistDone: number;
};

export type ListedProjectRow = Project & { hasLongNotes: boolean };

/** Longer project notes are omitted from lists. */
export const longNotesBytes = 8_000;

const texts = new Set(['description', 'description_html', 'checklist']);

const listedTaskColumns = `${columnsOf(TaskEntity, (column) => (texts.has(column) ? undefined : column))},
  description is not null as "hasNotes", jsonb_array_length(checklist) as "checklistTotal",
  jsonb_array_length(jsonb_path_query_array(checklist, '$[*] ? (@.completed == true)')) as "checklistDone"`;

const areLong = `${notesBytes} > ${longNotesBytes}`;

const listedProjectColumns = `${columnsOf(ProjectEntity, (column) => {
  if (column === 'description') return `case when not (${areLong}) then description end`;
  return column === 'description_html' ? `case when ${areLong} then '' else description_html end` : column;
})}, ${areLong} as "hasLongNotes"`;

export const listedTasks: ListedRows<ListedTaskRow, AppTask> = {
  table: 'task',
  columns: listedTaskColumns,
  present: presentListedTask,
};

export const listedProjects: ListedRows<ListedProjectRow, AppProject> = {
  table: 'project',
  columns: listedProjectColumns,
  present: presentListedProject,
};

export const listedSections: ListedRows<Section, AppSection> = {
  table: 'section',
  columns: columnsOf(SectionEntity),
  present: ({ id, projectId, title, position: rank, updatedAt }) => ({
    id,
    projectId,
    title,
    rank,
    updatedAt,
  }),
};

export const listedAreas: ListedRows<Area, AppArea> = {
  table: 'area',
  columns: columnsOf(AreaEntity),
  present: ({ id, title, rank, updatedAt }) => ({ id, title, rank, updatedAt }),
};

const fieldsOf = shownMembers({ fields: taskFields });

function presentListedTask(task: ListedTaskRow): AppTask {
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    list: task.list,
    projectId: task.projectId,
    sectionId: task.sectionId,
    ...fieldsOf(task),
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
  const { description, descriptionHtml, checklist } = task;
  const counts = {
    hasNotes: description !== null,
    checklistTotal: checklist.length,
    checklistDone: checklist.filter(({ completed }) => completed).length,
  };
  return { ...presentListedTask({ ...task, ...counts }), description, descriptionHtml, checklist };
}

function presentListedProject(project: ListedProjectRow): AppProject {
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
    updatedAt: project.updatedAt,
    rank: project.rank,
  };
}

/** Answered by an index only: milliseconds, also for a logbook of many years. */
export async function countClosedTasks(db: Queryable, accountId: string): Promise<ClosedTaskCounts> {
  const { rows } = await db.query<{ projectId: string; count: number }>({
    name: 'count-closed-tasks',
    text: `select project_id as "projectId", count(*) as count from tasks.task
      where account_id = $1 and project_id is not null and status <> 'open' and trashed_at is null
      group by project_id`,
    values: [accountId],
  });
  return Object.fromEntries(rows.map(({ projectId, count }) => [projectId, count]));
}
