import { columnsOf } from '../database/entity-rows.ts';
import { notesBytes, withinPageBytes } from '../database/page-size-limit.ts';
import { type Page, takePage } from '../http/page.ts';
import type { Session, WriteSession } from '../session.ts';
import {
  type Project,
  ProjectEntity,
  type ProjectStatus,
  type ProjectWithSections,
  type Section,
} from './project-entity.ts';

type ProjectFilter = {
  areaId: string | undefined;
  status: ProjectStatus | undefined;
};

type Row = Project & { sections: Section[]; hasMore?: boolean };

const columns = `${columnsOf(ProjectEntity)}, sections`;
const isoTimestamp = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Joins the sections, only for the rows of the page. The account (`$1`) is repeated, because on partitioned
 * tables the inner select is planned separately.
 */
const withSections = `left join lateral (
    select coalesce(json_agg(json_build_object(
      'accountId', section.account_id, 'id', section.id, 'projectId', section.project_id,
      'title', section.title, 'position', section.position,
      'createdAt', ${isoTimestamp('section.created_at')}, 'updatedAt', ${isoTimestamp('section.updated_at')}
    ) order by section.position), '[]') as sections
    from tasks.section where section.account_id = $1 and section.project_id = project.id
  ) as divided on true`;

/** Size of a section besides its title. */
const sectionBytes = 250;
const textBytes = `${notesBytes} + (select coalesce(sum(octet_length(title) + ${sectionBytes}), 0)
  from tasks.section where section.account_id = $1 and section.project_id = page.id)`;

const fromRow = ({ sections, hasMore, ...project }: Row): ProjectWithSections => ({ project, sections });

/** Includes the Trash; undefined if the account has no such project. */
export async function findProject(
  { db, account }: Session,
  id: string,
): Promise<ProjectWithSections | undefined> {
  const { rows } = await db.query<Row>({
    name: 'find-project',
    text: `select ${columns} from tasks.project ${withSections} where account_id = $1 and id = $2`,
    values: [account.id, id],
  });
  return rows[0] && fromRow(rows[0]);
}

/** One page in display order, without the Trash. `after` and `seal` speak of the key (rank, id). */
export async function findProjectPage(
  { db, account }: Session,
  { areaId, status }: ProjectFilter,
  size: number,
  after: readonly string[] | undefined,
  seal: (key: readonly string[]) => string,
): Promise<Page<ProjectWithSections>> {
  const values: unknown[] = [account.id];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['account_id = $1', 'trashed_at is null'];
  if (areaId !== undefined) conditions.push(`area_id = ${bind(areaId)}`);
  if (status !== undefined) conditions.push(`status = ${bind(status)}`);
  if (after !== undefined)
    conditions.push(`(rank, id) > (${bind(after[0])}::bigint, ${bind(after[1])}::uuid)`);
  const order = 'rank, id';
  const page = `select * from tasks.project where ${conditions.join(' and ')}
    order by ${order} limit ${bind(size + 1)}`;
  const { rows } = await db.query<Row>({
    text: `select ${columns}, has_more as "hasMore"
      from (${withinPageBytes(page, order, textBytes)}) project ${withSections} order by ${order}`,
    values,
  });
  const sealLast = ({ rank, id }: Row): string => seal([String(rank), id]);
  const { items, nextCursor } = takePage(rows, size, sealLast, rows.at(-1)?.hasMore);
  return { items: items.map(fromRow), nextCursor };
}

/** Number of projects that count towards the plan's limit: neither trashed nor closed. */
export async function countLiveProjects({ db, account }: Session): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-live-projects',
    text: `select count(*) as count from tasks.project
      where account_id = $1 and trashed_at is null and status = 'active'`,
    values: [account.id],
  });
  return rows[0]?.count ?? 0;
}

/** Removes the area from its projects, including those in the Trash. */
export function ungroupProjects({ account, change, changedAt, tables }: WriteSession, areaId: string): void {
  void change(
    tables
      .updateTable('Project')
      .set({ areaId: null, updatedAt: changedAt })
      .where('accountId', '=', account.id)
      .where('areaId', '=', areaId),
  );
}

/** Adds `step` to the positions of the project's other sections from `from` to `to`. */
export function shiftSections(
  { account, change, changedAt, tables }: WriteSession,
  { id, projectId }: Section,
  { from, to, step }: { from: number; to: number; step: number },
): void {
  void change(
    tables
      .updateTable('Section')
      .set((section) => ({ position: section('position', '+', step), updatedAt: changedAt }))
      .where('accountId', '=', account.id)
      .where('projectId', '=', projectId)
      .where('id', '<>', id)
      .where('position', '>=', from)
      .where('position', '<=', to),
  );
}
