import type { Session } from '../session.ts';

/** Titles of projects, sections and areas, by their ids. */
export type PlaceNames = ReadonlyMap<unknown, string>;

/** Of those of `ids` that exist. */
export async function findPlaceNames(session: Session, ids: readonly unknown[]): Promise<PlaceNames> {
  return new Map([...(await findPlaces(session, ids))].map(([id, { title }]) => [id, title]));
}

export type Places = ReadonlyMap<unknown, { title: string; inTrash: boolean }>;

/** Of those of `ids` that exist. */
export async function findPlaces({ db, account }: Session, ids: readonly unknown[]): Promise<Places> {
  const wanted = [...new Set(ids)].filter((id) => typeof id === 'string');
  if (wanted.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; title: string; inTrash: boolean }>({
    text: Object.entries({ project: 'trashed_at is not null', section: 'false', area: 'false' })
      .map(
        ([table, inTrash]) =>
          `select id, title, ${inTrash} as "inTrash" from tasks.${table}
            where account_id = $1 and id = any($2::uuid[])`,
      )
      .join(' union all '),
    values: [account.id, wanted],
  });
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}
