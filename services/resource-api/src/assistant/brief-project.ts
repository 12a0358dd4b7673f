import { type InferType, string } from 'yup';
import { notFound } from '#shared/errors/errors.ts';
import { closedObject, enumeration, flag, integer, listOf, uuid } from '#shared/validation/fields.ts';
import { mostSections } from '#shared/validation/text-limits.ts';
import { openPage } from '../http/cursor.ts';
import { type Page, takePage } from '../http/page.ts';
import { type ProjectStatus, projectStatuses } from '../projects/project-entity.ts';
import type { Session } from '../session.ts';
import { wordPatterns } from '../text-search.ts';
import { localTime, named } from './brief-task.ts';
import { withWeekday } from './day-words.ts';
import { inOneLine } from './names.ts';
import type { ToolCall } from './tool.ts';

/** A project in a list. Empty members are omitted. */
export const briefProject = closedObject({
  id: uuid().defined(),
  title: string().defined(),
  status: enumeration(projectStatuses).defined(),
  area: string(),
  deadlineDate: string(),
  closedAt: string(),
  /** The latest change of an active project or its tasks. */
  lastChange: string(),
  hasNotes: flag(),
  openTasks: integer(0, Number.MAX_SAFE_INTEGER).defined(),
  /** It has open tasks, and none of them has a day. */
  hasNoPlan: flag(),
  sections: listOf(named.defined(), mostSections).defined(),
  hasMoreSections: flag(),
});

export type BriefProject = InferType<typeof briefProject>;

/** `row` has `shownSections` + 1 sections if the project has more than `shownSections`. */
export function describeProject(row: ProjectRow, shownSections: number): BriefProject {
  const { id, title, status, lastChange, openTasks, sections } = row;
  return {
    id,
    title,
    status,
    area: row.area ?? undefined,
    deadlineDate: row.deadlineDate ?? undefined,
    closedAt: row.closedAt ?? undefined,
    lastChange: lastChange ?? undefined,
    hasNotes: row.hasNotes ? true : undefined,
    openTasks,
    hasNoPlan: lastChange !== null && openTasks > 0 && !row.hasPlan ? true : undefined,
    sections: sections.slice(0, shownSections),
    hasMoreSections: sections.length > shownSections ? true : undefined,
  };
}

/** A project in one line, with its id and those of its sections. */
export function describeProjectLine(session: Session, project: BriefProject, isTrashed = false): string {
  const { status, deadlineDate } = project;
  const isLive = status === 'active' && !isTrashed;
  const facts = [
    project.area && `in ${inOneLine(project.area)}`,
    `${project.openTasks} open`,
    project.hasNoPlan && 'none planned',
    deadlineDate && `deadline ${withWeekday(deadlineDate)}`,
    deadlineDate && isLive && deadlineDate < session.today && 'overdue',
    project.hasNotes && 'has notes',
    project.closedAt && `${project.status} ${localTime(session, project.closedAt)}`,
    project.lastChange && `last change ${localTime(session, project.lastChange).slice(0, 10)}`,
  ].filter(Boolean);
  const sections = project.sections.length === 0 ? '' : `; sections: ${nameList(project.sections)}`;
  return `${inOneLine(project.title)} (${facts.join(', ')}) [${project.id}]${sections}`;
}

export function nameList(all: readonly { id: string; title: string }[]): string {
  return all.map(({ id, title }) => `${inOneLine(title)} [${id}]`).join(', ');
}

type ProjectRow = {
  id: string;
  title: string;
  status: ProjectStatus;
  area: string | null;
  deadlineDate: string | null;
  closedAt: string | null;
  /** Of an active project. */
  lastChange: string | null;
  hasNotes: boolean;
  openTasks: number;
  /** Outside the Trash. */
  hasPlan: boolean;
  /** The first sections, in display order. */
  sections: { id: string; title: string }[];
};

type ProjectSearch = {
  /** `trashed` takes precedence over the project's status. */
  status: ProjectStatus | 'trashed';
  areaId: string | undefined;
  /** Words that the title must contain. */
  part: string | undefined;
};

/** `$1` is the account, `$2` the number of sections. */
const projects = (further = '') => `
  select project.id, project.title, project.status, area.title as area, project.rank,
    project.deadline_date::text as "deadlineDate", project.description is not null as "hasNotes",
    coalesce(project.completed_at, project.cancelled_at) as "closedAt",
    case when project.status = 'active' and project.trashed_at is null
      then greatest(project.updated_at, (select max(updated_at) from tasks.task
        where task.account_id = $1 and task.project_id = project.id)) end as "lastChange",
    (select count(*)::int from tasks.task where task.account_id = $1
       and task.project_id = project.id and task.status = 'open'
       and (task.trashed_at is null
         or project.trashed_at is not null and task.is_trashed_with_project)) as "openTasks",
    exists (select from tasks.task where task.account_id = $1 and task.project_id = project.id
       and task.status = 'open' and task.due_date is not null and task.trashed_at is null) as "hasPlan",
    (select coalesce(
         json_agg(json_build_object('id', first.id, 'title', first.title) order by first.position), '[]')
       from (select id, title, position from tasks.section
             where section.account_id = $1 and section.project_id = project.id
             order by position limit $2) first) as sections${further}
  from tasks.project
  left join tasks.area on area.account_id = project.account_id and area.id = project.area_id
  where project.account_id = $1`;

/**
 * Projects in display order, each with at most `sectionCount` sections. Throws validation_error on `cursor`.
 */
export async function findProjects(
  { context, session }: ToolCall,
  { status, areaId, part = '' }: ProjectSearch,
  { size, sectionCount, cursor }: { size: number; sectionCount: number; cursor: string | undefined },
): Promise<Page<ProjectRow>> {
  const { account, db } = session;
  const isTrashed = status === 'trashed';
  const inUse = 'project.trashed_at is null and project.status = $8';
  const list = ['assistant-projects', status, areaId, part];
  const { after = [null, null], seal } = openPage(context.cursors, session, list, cursor);
  const { rows } = await db.query<ProjectRow & { rank: number }>({
    text: `${projects()} and project.title ~ all ($3::text[])
       and ($4::uuid is null or project.area_id = $4)
       and ($5::bigint is null or (project.rank, project.id) > ($5, $6::uuid))
       and ${isTrashed ? 'project.trashed_at is not null' : inUse}
     order by project.rank, project.id limit $7`,
    values: [
      account.id,
      sectionCount,
      wordPatterns(part),
      areaId ?? null,
      ...after,
      size + 1,
      ...(isTrashed ? [] : [status]),
    ],
  });
  return takePage(rows, size, ({ rank, id }) => seal([String(rank), id]));
}

/** The project with its notes. Throws not_found, also for a trashed project. */
export async function readProject(
  { db, account }: Session,
  id: string,
  sectionCount: number,
): Promise<ProjectRow & { notes: string | null }> {
  const { rows } = await db.query<ProjectRow & { notes: string | null }>({
    text: `${projects(', project.description as notes')} and project.trashed_at is null and project.id = $3`,
    values: [account.id, sectionCount, id],
  });
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}
