import type { Session } from '../session.ts';

/** Characters shown on either side of a match. */
const passageLength = 60;

type Passage = { passage: string; isStart: boolean; isEnd: boolean };
type Found = (Passage | { passage: null }) & { id: string; step: string | null };

/** A passage of the notes in one line, and the title of a step. */
type Passages = { passage: string | undefined; step: string | undefined };

/**
 * Returns matching passages by task id, for tasks where a word of the search is in the notes or steps, not in
 * the title.
 */
export async function findPassages(
  { db, account }: Session,
  ids: readonly string[],
  patterns: readonly string[],
): Promise<ReadonlyMap<string, Passages>> {
  if (ids.length === 0 || patterns.length === 0) return new Map();
  const { rows } = await db.query<Found>({
    text: `select task.id, step, passage, starts_with(description, passage) as "isStart",
        right(description, length(passage)) = passage as "isEnd"
      from tasks.task
      left join lateral (
        select substring(description from '.{0,${passageLength}}' || pattern || '.{0,${passageLength}}')
          as passage
        from unnest($3::text[]) pattern where title !~ pattern and description ~ pattern limit 1
      ) in_notes on true
      left join lateral (
        select item ->> 'title' as step
        from unnest($3::text[]) pattern, jsonb_array_elements(checklist) item
        where title !~ pattern and coalesce(description, '') !~ pattern and item ->> 'title' ~ pattern limit 1
      ) in_steps on true
      where account_id = $1 and task.id = any($2::uuid[])`,
    values: [account.id, ids, patterns],
  });
  return new Map(
    rows.map((row) => [
      row.id,
      { passage: row.passage === null ? undefined : inWholeWords(row), step: row.step ?? undefined },
    ]),
  );
}

function inWholeWords({ passage, isStart, isEnd }: Passage): string {
  const words = passage.split(/\s/u);
  if (!isStart) words[0] = '…';
  if (!isEnd && words.length > 1) words[words.length - 1] = '…';
  return words.filter((word) => word !== '').join(' ');
}
