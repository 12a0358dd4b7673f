import { CompiledQuery } from 'kysely';
import { type Account, operatorFor } from '../auth/principal.ts';
import { runWrite, type WriteSession, type WriteStore } from '../session.ts';
import type { NotesRenderer, Rendering } from './notes-renderer.ts';

export type NotesTable = 'task' | 'project';
/** Numbers of rendered records, and of those with changed HTML. */
export type RenderedAgain = { rendered: number; changed: number };

/** Batch size, in memory and per account lock. */
export const notesPerWrite = 20;

/**
 * Renders at most `notesPerWrite` records of an account again. Those with changed HTML get a new `updatedAt`
 * and a feed entry; a suspended account is included.
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

/** Skips notes that changed meanwhile. Returns the number of records with changed HTML. */
async function storeRenderings(
  { account, changedAt, change, send }: WriteSession,
  table: NotesTable,
  rendered: readonly RenderedText[],
): Promise<number> {
  let changed = 0;
  for (const { id, description, rendering } of rendered) {
    const values = [account.id, id, description, rendering.html, rendering.version];
    const text = `update tasks.${table} set description_html = $4, renderer_version = $5, updated_at = $6
      where account_id = $1 and id = $2 and description = $3 and description_html <> $4`;
    changed += await change({ compile: () => CompiledQuery.raw(text, [...values, changedAt]) });
    send({
      text: `update tasks.${table} set renderer_version = $5
        where account_id = $1 and id = $2 and description = $3
          and description_html = $4 and renderer_version <> $5`,
      values,
    });
  }
  return changed;
}
