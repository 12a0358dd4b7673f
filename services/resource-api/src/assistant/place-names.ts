import type { Session } from '../session.ts';

/** Titles of projects, sections and areas, by their ids. */
export type PlaceNames = ReadonlyMap<unknown, string>;

/** Of those of `ids` that exist. */
export async function findPlaceNames({ db, account }: Session, ids: readonly unknown[]): Promise<PlaceNames> {
  const wanted = [...new Set(ids)].filter((id) => typeof id === 'string');
  if (wanted.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; title: string }>({
    text: ['project', 'section', 'area']
      .map((table) => `select id, title from tasks.${table} where account_id = $1 and id = any($2::uuid[])`)
      .join(' union all '),
    values: [account.id, wanted],
  });
  return new Map(rows.map(({ id, title }) => [id, title]));
}
