import type { AppRowsResponse } from '#shared/app/app-protocol.ts';
import { columnsOf } from '../database/entity-rows.ts';
import { notesBytes, taskBytes, withinPageBytes } from '../database/page-size-limit.ts';
import { type Project, ProjectEntity } from '../projects/project-entity.ts';
import type { Session } from '../session.ts';
import { type Task, TaskEntity } from '../tasks/task-entity.ts';
import { listedProjects, longNotesBytes, presentTaskDetail } from './listed-rows.ts';

/** Tasks and projects with their texts, up to the size limit of a response; unknown ids are omitted. */
export async function readFullRows(
  { db, account }: Session,
  ids: readonly string[],
): Promise<AppRowsResponse> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const read = async <Row extends { id: string }>(
    entity: 'task' | 'project',
    columns: string,
    bytes: string,
  ) => {
    const page = `select * from tasks.${entity} where account_id = $1 and id = any($2::uuid[])`;
    const { rows } = await db.query<Row & { hasMore: boolean }>({
      text: `select ${columns}, has_more as "hasMore"
        from (${withinPageBytes(page, 'id', bytes)}) found order by id`,
      values: [account.id, wanted],
    });
    return { rows, isComplete: rows.at(-1)?.hasMore !== true };
  };
  const tasks = await read<Task>('task', columnsOf(TaskEntity), taskBytes);
  const projects = await read<Project>('project', columnsOf(ProjectEntity), notesBytes);
  const isLong = ({ description, descriptionHtml }: Project) =>
    Buffer.byteLength(description ?? '') + Buffer.byteLength(descriptionHtml) > longNotesBytes;
  const sent = new Set([...tasks.rows, ...projects.rows].map(({ id }) => id));
  const isComplete = tasks.isComplete && projects.isComplete;
  return {
    tasks: tasks.rows.map(presentTaskDetail),
    projects: projects.rows.map((project) =>
      listedProjects.present({ ...project, hasLongNotes: isLong(project) }),
    ),
    // Includes unknown ids, which the next response omits.
    notSent: isComplete ? [] : wanted.filter((id) => !sent.has(id)),
  };
}
