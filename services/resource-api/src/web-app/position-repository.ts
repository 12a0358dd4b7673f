import { sql } from 'kysely';
import type { Queryable } from '#shared/database/database.ts';
import type { Project } from '../projects/project-entity.ts';
import type { Session, WriteSession } from '../session.ts';
import { type Task, viewDate } from '../tasks/task-entity.ts';
import type { Placed } from './place-in-order.ts';

export type OrderedRow = { id: string; rank: number | null; isListed: boolean };

/** The tasks of the list of `task`, without it, as the list shows them; closed ones are not listed. */
export async function findListOrder(db: Queryable, task: Task): Promise<OrderedRow[]> {
  const { rows } = await db.query<OrderedRow>({
    text: `select id, rank, status = 'open' and trashed_at is null as "isListed" from tasks.task
      where account_id = $1 and list = $2 and project_id is not distinct from $3
        and section_id is not distinct from $4 and id <> $5
      order by rank, id`,
    values: [task.accountId, task.list, task.projectId, task.sectionId, task.id],
  });
  return rows;
}

/** The other tasks of that day: those placed by hand first, then by reminder, then the public order. */
export async function findDayOrder(db: Queryable, task: Task): Promise<OrderedRow[]> {
  const { rows } = await db.query<OrderedRow>({
    text: `select id, day_rank as rank, status = 'open' and trashed_at is null as "isListed" from tasks.task
      where account_id = $1 and view_date = $2 and id <> $3
      order by day_rank nulls last, reminder_time collate "C" nulls last, created_at, id`,
    values: [task.accountId, viewDate(task), task.id],
  });
  return rows;
}

/** Those of the same area, or of none, outside the Trash. */
export async function findProjectOrder(db: Queryable, project: Project): Promise<OrderedRow[]> {
  const { rows } = await db.query<OrderedRow>({
    text: `select id, rank, trashed_at is null as "isListed" from tasks.project
      where account_id = $1 and area_id is not distinct from $2 and id <> $3 order by rank, id`,
    values: [project.accountId, project.areaId, project.id],
  });
  return rows;
}

export async function findAreaOrder({ db, account }: Session, id: string): Promise<OrderedRow[]> {
  const { rows } = await db.query<OrderedRow>({
    text: `select id, rank, true as "isListed" from tasks.area where account_id = $1 and id <> $2
      order by rank, id`,
    values: [account.id, id],
  });
  return rows;
}

const rowsPerStatement = 500;

/**
 * Stores the ranks, the first row's before the others', so that Activity names what was moved and not what
 * made room. A list that is renumbered takes several statements.
 */
export async function storeRanks(
  { change, changedAt, account, tables, renew }: WriteSession,
  table: 'task' | 'project' | 'area',
  column: 'rank' | 'day_rank',
  placed: readonly Placed[],
): Promise<void> {
  for (let start = 0, end = 1; start < placed.length; start = end, end += rowsPerStatement) {
    const some = JSON.stringify(placed.slice(start, end));
    const update = sql`update tasks.${sql.raw(table)} present
      set ${sql.raw(column)} = placed.rank, updated_at = ${changedAt}
      from json_to_recordset(${some}::json) as placed (id uuid, rank bigint)
      where present.account_id = ${account.id} and present.id = placed.id`;
    await change({ compile: () => update.compile(tables) });
    renew();
  }
}
