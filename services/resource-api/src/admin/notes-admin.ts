import { createEnvReader, type Environment } from '#shared/config/read-env.ts';
import type { Queryable } from '#shared/database/database.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { Account } from '../auth/principal.ts';
import { readNotesLimits } from '../config/config.ts';
import { openTasksDatabase } from '../database/tasks-database.ts';
import {
  createNotesRenderer,
  type NotesRenderer,
  notesRendererVersion,
  type Rendering,
} from '../notes/notes-renderer.ts';
import { runWrite, type WriteSession, type WriteStore } from '../session.ts';
import { createAccountQueue } from '../sync/account-queue.ts';
import { operatorFor, selectAccount } from './require-account.ts';

/** Accounts processed, notes rendered, and renderings that differ from the stored HTML. */
export type RenderedNotes = { accounts: number; rendered: number; changed: number };

/** Held in memory at once, and written under one lock of their account. */
const notesPerWrite = 20;
const accountsPerStatement = 500;
/** The first query of an account reads all its rows, of which there may be a million. */
const waitMilliseconds = 120_000;

const tables = ['task', 'project'] as const;
type Table = (typeof tables)[number];

/**
 * Renders notes of all accounts again whose HTML an earlier version of the renderer made, or which exceeded a limit.
 * Notes whose HTML changes are stamped and entered in the feed as any change. May be stopped and started again.
 * Throws a ConfigError for invalid limits of notes in `environment`, and service_unavailable.
 */
export async function renderNotesAgain(
  databaseUrl: string,
  environment: Environment,
  onProgress: (done: RenderedNotes) => void,
): Promise<RenderedNotes> {
  const reader = createEnvReader(environment);
  const limits = readNotesLimits(reader);
  reader.finish();
  const database = openTasksDatabase({ url: databaseUrl, poolSize: 2, waitMilliseconds });
  const notes = createNotesRenderer(limits);
  const accountQueue = createAccountQueue(waitMilliseconds);
  const store = { database, accountQueue, clock: systemClock, isUpkeep: true };
  const done = { accounts: 0, rendered: 0, changed: 0 };
  try {
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
  } finally {
    await notes.close();
    await database.close();
  }
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
  table: Table,
): AsyncGenerator<Omit<RenderedNotes, 'accounts'>> {
  const outdated = `from tasks.${table}
    where account_id = $1 and renderer_version < $2 and description is not null`;
  const values = [account.id, notesRendererVersion];
  // All ids in one statement: paging by id would read each row from another place of the table.
  const { rows } = await store.database.query<{ id: string }>({ text: `select id ${outdated}`, values });
  while (rows.length > 0) {
    const ids = rows.splice(0, notesPerWrite).map(({ id }) => id);
    const texts = await store.database.query<{ id: string; description: string }>({
      text: `select id, description ${outdated} and id = any($3::uuid[])`,
      values: [...values, ids],
    });
    const rendered: RenderedText[] = [];
    for (const { id, description } of texts.rows)
      rendered.push({ id, description, rendering: await notes.render(account.id, description) });
    const changed = await runWrite(store, operatorFor(account), (session) =>
      storeRenderings(session, table, rendered),
    );
    yield { rendered: rendered.length, changed };
  }
}

type RenderedText = { id: string; description: string; rendering: Rendering };

/** Notes that changed meanwhile were rendered with that change. Returns the number of records whose HTML changed. */
async function storeRenderings(
  { account, changedAt, db }: WriteSession,
  table: Table,
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
