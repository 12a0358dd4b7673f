import type { ClosedTaskCounts } from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import { AreaEntity } from '../areas/area-entity.ts';
import { columnsOf } from '../database/entity-rows.ts';
import { notesBytes } from '../database/page-size-limit.ts';
import { ProjectEntity, SectionEntity } from '../projects/project-entity.ts';
import { TaskEntity } from '../tasks/task-entity.ts';

/** Lists leave out project notes that take more. */
export const longNotesBytes = 8_000;

const texts = new Set(['description', 'descriptionHtml', 'checklist']);
const listedProperties = Object.fromEntries(
  Object.entries(TaskEntity.properties).filter(([name]) => !texts.has(name)),
);

export const listedTaskColumns = `${columnsOf({ properties: listedProperties })},
  description is not null as "hasNotes", jsonb_array_length(checklist) as "checklistTotal",
  jsonb_array_length(jsonb_path_query_array(checklist, '$[*] ? (@.completed == true)')) as "checklistDone"`;

const areLong = `${notesBytes} > ${longNotesBytes}`;

export const listedProjectColumns = `${columnsOf(ProjectEntity, (column) => {
  if (column === 'description') return `case when not (${areLong}) then description end`;
  return column === 'description_html' ? `case when ${areLong} then '' else description_html end` : column;
})}, ${areLong} as "hasLongNotes"`;

export const sectionColumns = columnsOf(SectionEntity);
export const areaColumns = columnsOf(AreaEntity);

/** An index alone has the answer: a logbook of many years takes milliseconds. */
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

/** For reads that belong together: all of them see the same commits. */
export const openSnapshot = { text: 'set transaction isolation level repeatable read, read only' };
