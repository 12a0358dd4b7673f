import { notFound } from '#shared/errors/errors.ts';
import { type Page, takePage } from '../http/page.ts';
import type { Instant } from '../http/present-instant.ts';
import type { ProjectStatus } from '../projects/project-entity.ts';
import type { Session } from '../session.ts';
import type { ToolCall } from './tool.ts';

/** A project as a list shows it. */
export type ProjectRow = {
  id: string;
  title: string;
  status: ProjectStatus;
  area: string | null;
  deadlineDate: string | null;
  closedAt: Instant | null;
  hasNotes: boolean;
  openTasks: number;
  /** The first of them, in display order. */
  sections: { id: string; title: string }[];
};

export type ProjectSearch = {
  status: ProjectStatus;
  areaId: string | undefined;
  /** Of the title. */
  part: string | undefined;
};

/** The account comes first, twice, and the number of sections after it: of these the inner statements make use. */
const projects = (further = '') => `
  select project.id, project.title, project.status, area.title as area, project.rank::text as rank,
    project.deadline_date::text as "deadlineDate", project.description is not null as "hasNotes",
    coalesce(project.completed_at, project.cancelled_at) as "closedAt",
    (select count(*)::int from tasks.task where task.account_id = ?
       and task.project_id = project.id and task.status = 'open' and task.trashed_at is null) as "openTasks",
    (select coalesce(json_agg(json_build_object('id', first.id, 'title', first.title) order by first.position), '[]')
       from (select id, title, position from tasks.section
             where section.account_id = ? and section.project_id = project.id
             order by position limit ?) first) as sections${further}
  from tasks.project
  left join tasks.area on area.account_id = project.account_id and area.id = project.area_id
  where project.account_id = ? and project.trashed_at is null`;

/** In display order, each with `sectionCount` sections at most. Throws validation_error on `cursor`. */
export async function findProjects(
  { context: { cursors }, session: { em, account, today } }: Pick<ToolCall, 'context' | 'session'>,
  { status, areaId, part = '' }: ProjectSearch,
  { size, sectionCount, cursor }: { size: number; sectionCount: number; cursor: string | undefined },
): Promise<Page<ProjectRow>> {
  const scope = [account.id, 'assistant-projects', status, areaId, part];
  const after = cursor === undefined ? [null, null] : cursors.open(scope, cursor).key;
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await em.execute<(ProjectRow & { rank: string })[]>(
    `${projects()} and project.status = ? and project.title ilike ?
       and (?::uuid is null or project.area_id = ?::uuid)
       and (?::bigint is null or (project.rank, project.id) > (?::bigint, ?::uuid))
     order by project.rank, project.id limit ?`,
    [
      ...[account.id, account.id, sectionCount, account.id],
      ...[status, pattern, areaId ?? null, areaId ?? null],
      ...[after[0], ...after, size + 1],
    ],
  );
  return takePage(
    rows,
    size,
    (row) => row,
    ({ rank, id }) => cursors.seal(scope, { today, key: [rank, id] }),
  );
}

/** With its notes. Throws not_found, also for a project in the Trash. */
export async function readProject(
  { em, account }: Session,
  id: string,
  sectionCount: number,
): Promise<ProjectRow & { notes: string | null }> {
  const [row] = await em.execute<(ProjectRow & { notes: string | null })[]>(
    `${projects(', project.description as notes')} and project.id = ?`,
    [account.id, account.id, sectionCount, account.id, id],
  );
  if (row === undefined) throw notFound();
  return row;
}

export function findAreas({ em, account }: Session, size: number): Promise<{ id: string; title: string }[]> {
  return em.execute<{ id: string; title: string }[]>(
    `select id, title from tasks.area where account_id = ? order by rank, id limit ?`,
    [account.id, size],
  );
}
