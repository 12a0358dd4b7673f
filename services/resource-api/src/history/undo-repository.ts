import type { Session, WriteSession } from '../session.ts';
import type { ProjectState } from '../tasks/task-repository.ts';

/** The `ids` that exist in the account. */
export async function findIds(
  { db, account }: Session,
  table: 'area' | 'section',
  ids: readonly unknown[],
): Promise<Set<unknown>> {
  if (ids.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>({
    text: `select id from tasks.${table} where account_id = $1 and id = any($2::uuid[])`,
    values: [account.id, ids],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Whether the project has an open task outside the Trash that the transaction `stamp` did not change. */
export async function hasOtherOpenTasks(
  { db, account }: Session,
  projectId: string,
  stamp: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `select from tasks.task
      where account_id = $1 and project_id = $2 and status = 'open' and trashed_at is null
        and not exists (select from tasks.change_history change
          where change.account_id = $1 and change.entity_id = task.id and change.changed_at = $3)
      limit 1`,
    values: [account.id, projectId, stamp],
  });
  return rowCount !== 0;
}

/** Whether the area has a project, or the section a task, outside the Trash. */
export async function isInUse(
  { db, account }: Session,
  table: 'area' | 'section',
  id: string,
): Promise<boolean> {
  const inside = table === 'area' ? 'project' : 'task';
  const { rowCount } = await db.query({
    text: `select from tasks.${inside}
      where account_id = $1 and ${table}_id = $2 and trashed_at is null limit 1`,
    values: [account.id, id],
  });
  return rowCount !== 0;
}

export async function findProjectStates(
  { db, account }: Session,
  ids: readonly unknown[],
): Promise<Map<unknown, ProjectState>> {
  const { rows } = await db.query<ProjectState & { id: string }>({
    text: `select id, status, trashed_at is not null as "isTrashed" from tasks.project
      where account_id = $1 and id = any($2::uuid[])`,
    values: [account.id, ids],
  });
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

type PlacedSection = { id: string; position: number };

export async function findPlacedSections(
  { db, account }: Session,
  projectId: string,
): Promise<PlacedSection[]> {
  const { rows } = await db.query<PlacedSection>({
    text: `select id, position from tasks.section
      where account_id = $1 and project_id = $2 order by position, id`,
    values: [account.id, projectId],
  });
  return rows;
}

/**
 * Marks the records of the transaction with `stamp`, except `kept`, as undone by the current one; an undo of
 * an undo marks its changes as redone.
 */
export function recordUndo(
  { account, changedAt, renew, send }: WriteSession,
  stamp: string,
  kept: readonly string[],
): void {
  renew();
  send({
    text: `with undone as (
        select coalesce(undo_of, changed_at) as first, undo_of is not null and not is_redo as is_redo
        from tasks.change_history where account_id = $1 and changed_at = $2 limit 1
      )
      update tasks.change_history change set
        undo_of = case when changed_at = $3 then undone.first else change.undo_of end,
        is_redo = case when changed_at = $3 then undone.is_redo else change.is_redo end,
        is_undone = changed_at = $2 or changed_at = undone.first and not undone.is_redo
      from undone where account_id = $1 and (changed_at = $3
        or changed_at in ($2, undone.first) and entity_id <> all($4::uuid[]) and entity_id in (
          select entity_id from tasks.change_history where account_id = $1 and changed_at = $2))`,
    values: [account.id, stamp, changedAt, kept],
  });
}
