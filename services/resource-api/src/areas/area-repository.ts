import { columnsOf } from '../database/entity-rows.ts';
import { type Page, takePage } from '../http/page.ts';
import type { Session } from '../session.ts';
import { type Area, AreaEntity } from './area-entity.ts';

const columns = columnsOf(AreaEntity);

export async function findArea({ db, account }: Session, id: string): Promise<Area | undefined> {
  const { rows } = await db.query<Area>({
    name: 'find-area',
    text: `select ${columns} from tasks.area where account_id = $1 and id = $2`,
    values: [account.id, id],
  });
  return rows[0];
}

/** One page in display order. `after` and `seal` use the key (rank, id). */
export async function findAreaPage(
  { db, account }: Session,
  size: number,
  after: readonly string[] | undefined,
  seal: (key: readonly string[]) => string,
): Promise<Page<Area>> {
  const beyond = after === undefined ? '' : 'and (rank, id) > ($3::bigint, $4::uuid)';
  const { rows } = await db.query<Area>({
    text: `select ${columns} from tasks.area where account_id = $1 ${beyond} order by rank, id limit $2`,
    values: [account.id, size + 1, ...(after ?? [])],
  });
  return takePage(rows, size, ({ rank, id }) => seal([String(rank), id]));
}

export async function countAreas({ db, account }: Session): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-areas',
    text: 'select count(*) as count from tasks.area where account_id = $1',
    values: [account.id],
  });
  return rows[0]?.count ?? 0;
}
