import type { EntityManager } from '@mikro-orm/postgresql';
import { notesBytes, withinPageBytes } from '../database/page-texts.ts';
import { type Page, takePage } from '../http/page.ts';
import type { PresentableProject, ProjectWithSections } from './present-project.ts';
import type { PresentableSection } from './present-section.ts';
import { type Project, ProjectEntity, type ProjectStatus } from './project-entity.ts';

export type ProjectFilter = {
  accountId: string;
  areaId: string | undefined;
  status: ProjectStatus | undefined;
};

type ProjectRow = PresentableProject & { rank: string; sections: PresentableSection[] };
type ListedRow = ProjectRow & { goesOn: boolean };

const columns = `id, title, description, description_html as "descriptionHtml", status, area_id as "areaId",
  deadline_date::text as "deadlineDate", rank, trashed_at as "trashedAt", completed_at as "completedAt",
  cancelled_at as "cancelledAt", created_at as "createdAt", updated_at as "updatedAt", sections`;

/**
 * The sections come with their project in one statement; they are gathered for the rows of the page alone. The account
 * is named once more, before all other values: on partitioned tables the inner select is planned by itself.
 */
const withSections = `left join lateral (
    select coalesce(json_agg(json_build_object(
      'id', section.id, 'projectId', section.project_id, 'title', section.title,
      'createdAt', section.created_at, 'updatedAt', section.updated_at
    ) order by section.position), '[]') as sections
    from tasks.section where section.account_id = ? and section.project_id = project.id
  ) as divided on true`;

/** What a section takes besides its title. */
const sectionBytes = 250;
const textBytes = `${notesBytes} + (select coalesce(sum(octet_length(title) + ${sectionBytes}), 0)
  from tasks.section where section.account_id = ? and section.project_id = page.id)`;

const fromRow = ({ sections, ...project }: ProjectRow): ProjectWithSections => ({ project, sections });

/** The project with its sections; undefined when the account has none of this id outside the Trash. */
export async function findProject(
  em: EntityManager,
  accountId: string,
  id: string,
): Promise<ProjectWithSections | undefined> {
  const sql = `select ${columns} from tasks.project ${withSections}
    where account_id = ? and id = ? and trashed_at is null`;
  const [row] = await em.execute<ProjectRow[]>(sql, [accountId, accountId, id]);
  return row && fromRow(row);
}

/** The project as an entity of the open write, one in the Trash too; null when the account has none of this id. */
export function loadProject(em: EntityManager, accountId: string, id: string): Promise<Project | null> {
  return em.findOne(ProjectEntity, { accountId, id });
}

/** One page in display order, without the Trash. `after` and `seal` speak of the key (rank, id). */
export async function findProjectPage(
  em: EntityManager,
  { accountId, areaId, status }: ProjectFilter,
  size: number,
  after: readonly string[] | undefined,
  seal: (key: readonly string[]) => string,
): Promise<Page<ProjectWithSections>> {
  const conditions = ['account_id = ?', 'trashed_at is null'];
  const parameters: unknown[] = [accountId];
  const restrict = (condition: string, ...values: readonly unknown[]): void => {
    conditions.push(condition);
    parameters.push(...values);
  };
  if (areaId !== undefined) restrict('area_id = ?', areaId);
  if (status !== undefined) restrict('status = ?', status);
  if (after !== undefined) restrict('(rank, id) > (?::bigint, ?::uuid)', ...after);
  const order = 'rank, id';
  const page = `select * from tasks.project where ${conditions.join(' and ')} order by ${order} limit ?`;
  const rows = await em.execute<ListedRow[]>(
    `select ${columns}, goes_on as "goesOn"
      from (${withinPageBytes(page, order, textBytes)}) project ${withSections} order by ${order}`,
    [accountId, ...parameters, size + 1, accountId],
  );
  return takePage(rows, size, fromRow, ({ rank, id }) => seal([rank, id]), rows.at(-1)?.goesOn);
}

/** How many projects count towards the plan's cap: those neither in the Trash nor closed. */
export async function countLiveProjects(em: EntityManager, accountId: string): Promise<number> {
  const sql = `select count(*) as count from tasks.project
    where account_id = ? and trashed_at is null and status = 'active'`;
  const [row] = await em.execute<{ count: string }[]>(sql, [accountId]);
  return Number(row?.count);
}
