import { createEnvReader, type Environment } from '#shared/config/read-env.ts';
import type { Queryable } from '#shared/database/database.ts';
import type { Account } from '../auth/principal.ts';
import { readNotesLimits } from '../config/config.ts';
import { createNotesRenderer, type NotesRenderer, notesRendererVersion } from '../notes/notes-renderer.ts';
import {
  type NotesTable,
  notesPerWrite,
  type RenderedAgain,
  renderStoredNotes,
} from '../notes/stored-notes.ts';
import type { WriteStore } from '../session.ts';
import { selectAccount, withDatabase } from './with-database.ts';

/** Accounts processed, notes rendered, and renderings that differ from the stored HTML. */
type RenderedNotes = RenderedAgain & { accounts: number };

const accountsPerStatement = 500;
/** The first query of an account reads all its rows, of which there may be a million. */
const waitMilliseconds = 120_000;

const tables: readonly NotesTable[] = ['task', 'project'];

/**
 * Renders notes of all accounts again whose HTML an earlier version of the renderer made, or which exceeded a
 * limit. Notes whose HTML changes are stamped and entered in the feed as any change. May be stopped and
 * started again. Throws a ConfigError for invalid limits of notes in `environment`, and service_unavailable.
 */
export async function renderNotesAgain(
  databaseUrl: string,
  environment: Environment,
  onProgress: (done: RenderedNotes) => void,
): Promise<RenderedNotes> {
  const reader = createEnvReader(environment);
  const limits = readNotesLimits(reader);
  reader.finish();
  const notes = createNotesRenderer(limits);
  const done = { accounts: 0, rendered: 0, changed: 0 };
  return await withDatabase(databaseUrl, waitMilliseconds, async (database, store) => {
    for await (const account of everyAccount(database)) {
      for (const table of tables) {
        for await (const { rendered, changed } of renderTable(store, notes, account, table)) {
          done.rendered += rendered;
          done.changed += changed;
          onProgress(done);
        }
      }
      done.accounts += 1;
      onProgress(done);
    }
    return done;
  }).finally(() => notes.close());
}

async function* everyAccount(db: Queryable): AsyncGenerator<Account> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await db.query<Account>({
      text: `${selectAccount} where account_id > $1 order by account_id limit $2`,
      values: [after, accountsPerStatement],
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function* renderTable(
  store: WriteStore,
  notes: NotesRenderer,
  account: Account,
  table: NotesTable,
): AsyncGenerator<RenderedAgain> {
  // All ids in one statement: paging by id would read each row from another place of the table.
  const { rows } = await store.database.query<{ id: string }>({
    text: `select id from tasks.${table}
      where account_id = $1 and renderer_version < $2 and description is not null`,
    values: [account.id, notesRendererVersion],
  });
  while (rows.length > 0) {
    const ids = rows.splice(0, notesPerWrite).map(({ id }) => id);
    yield await renderStoredNotes(store, notes, account, table, ids);
  }
}
