import type { Session } from '../session.ts';

/** Characters on either side of what was found. */
const passageLength = 60;

type Found = { id: string; passage: string; isStart: boolean; isEnd: boolean };

/** By the ids of those tasks that have a word of the search in their notes and not in the title: where, in one line. */
export async function findPassages(
  { db, account }: Session,
  ids: readonly string[],
  patterns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0 || patterns.length === 0) return new Map();
  const { rows } = await db.query<Found>({
    text: `select task.id, passage, starts_with(description, passage) as "isStart",
        right(description, length(passage)) = passage as "isEnd"
      from tasks.task
      cross join lateral (
        select substring(description from '.{0,${passageLength}}' || pattern || '.{0,${passageLength}}') as passage
        from unnest($3::text[]) pattern where title !~ pattern and description ~ pattern limit 1
      ) found
      where account_id = $1 and task.id = any($2::uuid[])`,
    values: [account.id, ids, patterns],
  });
  return new Map(rows.map((row) => [row.id, inWholeWords(row)]));
}

function inWholeWords({ passage, isStart, isEnd }: Found): string {
  const words = passage.split(/\s/u);
  if (!isStart) words[0] = '…';
  if (!isEnd && words.length > 1) words[words.length - 1] = '…';
  return words.filter((word) => word !== '').join(' ');
}
