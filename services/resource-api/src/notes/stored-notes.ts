import { type Account, operatorFor } from '../auth/principal.ts';
import { runWrite, type WriteSession, type WriteStore } from '../session.ts';
import type { NotesRenderer, Rendering } from './notes-renderer.ts';

export type NotesTable = 'task' | 'project';
/** Records whose notes were rendered, and those whose HTML is another now. */
export type RenderedAgain = { rendered: number; changed: number };

/** Held in memory at once, and written under one lock of their account. */
export const notesPerWrite = 20;

/**
 * Renders the notes of these records of an account again, at most `notesPerWrite`. One whose HTML changes is stamped and
 * enters the feed as any change; a suspension does not stop it.
 */
export async function renderStoredNotes(
  store: WriteStore,
  notes: Pick<NotesRenderer, 'renderAgain'>,
  account: Account,
  table: NotesTable,
  ids: readonly string[],
): Promise<RenderedAgain> {
  const { rows } = await store.database.query<{ id: string; description: string }>({
    text: `select id, description from tasks.${table}
      where account_id = $1 and id = any($2::uuid[]) and description is not null`,
    values: [account.id, ids],
  });
  const rendered: RenderedText[] = [];
  for (const { id, description } of rows)
    rendered.push({ id, description, rendering: await notes.renderAgain(account.id, description) });
  const changed = await runWrite({ ...store, isUpkeep: true }, operatorFor(account), (session) =>
    storeRenderings(session, table, rendered),
  );
  return { rendered: rendered.length, changed };
}

type RenderedText = { id: string; description: string; rendering: Rendering };

/** Notes that changed meanwhile were rendered with that change. Returns the number of records whose HTML changed. */
async function storeRenderings(
  { account, changedAt, db }: WriteSession,
  table: NotesTable,
  rendered: readonly RenderedText[],
): Promise<number> {
  let changed = 0;
  for (const { id, description, rendering } of rendered) {
    const { rows } = await db.query<{ isChanged: boolean }>({
      text: `update tasks.${table} set description_html = $4, renderer_version = $5,
          updated_at = case when description_html = $4 then updated_at else $6::timestamptz end
        where account_id = $1 and id = $2 and description = $3
        returning updated_at = $6::timestamptz as "isChanged"`,
      values: [account.id, id, description, rendering.html, rendering.version, changedAt],
    });
    if (rows[0]?.isChanged) changed += 1;
  }
  return changed;
}
