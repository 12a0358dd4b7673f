import type { EntityManager } from '@mikro-orm/postgresql';
import { type Page, takePage } from '../http/page.ts';
import { type Area, AreaEntity } from './area-entity.ts';
import type { PresentableArea } from './present-area.ts';

const columns = 'id, title, rank, created_at as "createdAt", updated_at as "updatedAt"';

type AreaRow = PresentableArea & { rank: string };

export async function findArea(
  em: EntityManager,
  accountId: string,
  id: string,
): Promise<PresentableArea | undefined> {
  const sql = `select ${columns} from tasks.area where account_id = ? and id = ?`;
  const [row] = await em.execute<AreaRow[]>(sql, [accountId, id]);
  return row;
}

/** The area as an entity of the open write; null when the account has none of this id. */
export function loadArea(em: EntityManager, accountId: string, id: string): Promise<Area | null> {
  return em.findOne(AreaEntity, { accountId, id });
}

/** One page in display order. `after` and `seal` speak of the key (rank, id). */
export async function findAreaPage(
  em: EntityManager,
  accountId: string,
  size: number,
  after: readonly string[] | undefined,
  seal: (key: readonly string[]) => string,
): Promise<Page<PresentableArea>> {
  const beyond = after === undefined ? '' : 'and (rank, id) > (?::bigint, ?::uuid)';
  const rows = await em.execute<AreaRow[]>(
    `select ${columns} from tasks.area where account_id = ? ${beyond} order by rank, id limit ?`,
    [accountId, ...(after ?? []), size + 1],
  );
  return takePage(
    rows,
    size,
    (row): PresentableArea => row,
    ({ rank, id }) => seal([rank, id]),
  );
}

export async function countAreas(em: EntityManager, accountId: string): Promise<number> {
  const sql = 'select count(*) as count from tasks.area where account_id = ?';
  const [row] = await em.execute<{ count: string }[]>(sql, [accountId]);
  return Number(row?.count);
}
