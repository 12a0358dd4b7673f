import type { Sql } from '#tests/support/connect-sql.ts';

/** Everything that is stored of an account's records but when they changed, by their ids. */
export type StoredRows = Map<string, { entity: string; row: Record<string, unknown> }>;

export async function readStoredRows(sql: Sql, accountId: string): Promise<StoredRows> {
  const rows = await sql<{ entity: string; row: Record<string, unknown> }>`
    select 'task' as entity, to_jsonb(task) as row from tasks.task where account_id = ${accountId}
    union all select 'project', to_jsonb(project) from tasks.project where account_id = ${accountId}
    union all select 'section', to_jsonb(section) from tasks.section where account_id = ${accountId}
    union all select 'area', to_jsonb(area) from tasks.area where account_id = ${accountId}`;
  return new Map(rows.map(({ entity, row: { updated_at: _, ...row } }) => [String(row.id), { entity, row }]));
}

/**
 * How `present` differs from `wanted`; new tasks and projects may be left in the Trash where `mayTrashNew`, a
 * project with its sections.
 */
export function differences(wanted: StoredRows, present: StoredRows, mayTrashNew: boolean): string[] {
  return [...new Set([...wanted.keys(), ...present.keys()])].flatMap((id) => {
    const [one, other] = [wanted.get(id), present.get(id)];
    if (one === undefined && mayTrashNew && other && isInTrash(other.row, present)) return [];
    if (one === undefined || other === undefined)
      return [`${(one ?? other)?.entity} ${id} ${one === undefined ? 'is left' : 'is missing'}`];
    return Object.keys(one.row)
      .filter((column) => JSON.stringify(one.row[column]) !== JSON.stringify(other.row[column]))
      .map((column) => {
        const [was, is] = [one.row[column], other.row[column]].map((value) => JSON.stringify(value));
        return `${one.entity} ${id} ${column}: ${was} became ${is}`;
      });
  });
}

function isInTrash(
  { trashed_at: trashedAt, project_id: projectId }: Record<string, unknown>,
  rows: StoredRows,
): boolean {
  return Boolean(trashedAt ?? rows.get(String(projectId))?.row.trashed_at);
}
