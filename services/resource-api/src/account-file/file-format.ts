import { AreaEntity } from '../areas/area-entity.ts';
import { columnsOf } from '../database/entity-rows.ts';
import { ProjectEntity, SectionEntity } from '../projects/project-entity.ts';
import { TaskEntity } from '../tasks/task-entity.ts';

/** The file of an account: one JSON document, with a record on each line (docs/account-file.md). */
export const fileFormat = 'tasks-account';
export const fileVersion = 1;

export type FileCounts = { areas: number; projects: number; sections: number; tasks: number };

export const fileLists = ['areas', 'projects', 'tasks'] as const;
export type FileList = (typeof fileLists)[number];

/** Columns that are not in the file: they follow from it, or are specific to the database. */
const leftOut = new Set([
  'account_id',
  'rank',
  'day_rank',
  'position',
  'description_html',
  'renderer_version',
]);

export const entities = {
  area: AreaEntity,
  project: ProjectEntity,
  section: SectionEntity,
  task: TaskEntity,
};
export type RowKind = keyof typeof entities;

/** Members of records in their order in the file, besides `sections` and `dayPlace`. */
export function shownColumns(kind: RowKind): string {
  return columnsOf(entities[kind], (column) => (leftOut.has(column) ? undefined : column));
}
