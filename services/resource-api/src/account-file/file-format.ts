import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import { AreaEntity } from '../areas/area-entity.ts';
import { ProjectEntity, SectionEntity } from '../projects/project-entity.ts';
import { TaskEntity } from '../tasks/task-entity.ts';

/** The file of an account: one JSON document, with a record on each line (docs/account-file.md). */
export const fileFormat = 'tasks-account';
export const fileVersion = 1;

export type FileCounts = { areas: number; projects: number; sections: number; tasks: number };

export const fileLists = ['areas', 'projects', 'tasks'] as const;
export type FileList = (typeof fileLists)[number];

/** Columns that are not in the file: they follow from it, or are specific to the database. */
const leftOut = new Set(['accountId', 'rank', 'dayRank', 'position', 'descriptionHtml', 'rendererVersion']);

const shownOf = ({ properties }: { properties: object }) => ({
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !leftOut.has(name))),
});

/** Members of records in their order in the file, besides `sections` and `dayPlace`. */
export const shownProperties = {
  area: shownOf(AreaEntity),
  project: shownOf(ProjectEntity),
  section: shownOf(SectionEntity),
  task: shownOf(TaskEntity),
};

const naming = new UnderscoreNamingStrategy();

/** Column names by property names. */
export const columnNames = {
  area: namesOf(AreaEntity),
  project: namesOf(ProjectEntity),
  section: namesOf(SectionEntity),
  task: namesOf(TaskEntity),
};

export type RowKind = keyof typeof columnNames;

function namesOf({ properties }: { properties: object }): ReadonlyMap<string, string> {
  return new Map(Object.keys(properties).map((name) => [name, naming.propertyToColumnName(name)]));
}
