import type { EntityManager } from '@mikro-orm/postgresql';
import { createEnvReader, type Environment } from '#shared/config/read-env.ts';
import { queryRows } from '#shared/database/query-rows.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { Account } from '../auth/principal.ts';
import { readNotesLimits } from '../config/config.ts';
import { connectTasksDatabase } from '../database/tasks-orm.ts';
import {
  createNotesRenderer,
  type NotesRenderer,
  notesRendererVersion,
  type Rendering,
} from '../notes/notes-renderer.ts';
import { ProjectEntity } from '../projects/project-entity.ts';
import { runWrite, type WriteSession, type WriteStore } from '../session.ts';
import { createAccountTurns } from '../sync/account-turns.ts';
import { TaskEntity } from '../tasks/task-entity.ts';
import { operatorFor } from './operator.ts';
import { selectAccount } from './require-account.ts';

/** Accounts processed, notes rendered, and renderings that differ from the stored HTML. */
export type RenderedNotes = { accounts: number; rendered: number; changed: number };

/** Held in memory at once, and written under one lock of their account. */
const notesPerWrite = 20;
const accountsPerStatement = 500;
/** The first query of an account reads all its rows, of which there may be a million. */
const waitMilliseconds = 120_000;

type Noted = { id: string; description?: string | null; descriptionHtml: string; rendererVersion: number };
type Kind = { table: string; load(session: WriteSession, ids: string[]): Promise<Noted[]> };

const kinds: readonly Kind[] = [
  { table: 'task', load: ({ em, account }, id) => em.find(TaskEntity, { accountId: account.id, id }) },
  { table: 'project', load: ({ em, account }, id) => em.find(ProjectEntity, { accountId: account.id, id }) },
];

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
  const orm = await connectTasksDatabase({ url: databaseUrl, poolSize: 2, waitMilliseconds });
  const notes = createNotesRenderer(limits);
  const store = { em: orm.em, accountTurns: createAccountTurns(), clock: systemClock, isUpkeep: true };
  const done = { accounts: 0, rendered: 0, changed: 0 };
  try {
    for await (const account of everyAccount(orm.em.fork())) {
      for (const kind of kinds) {
        for await (const { rendered, changed } of renderKind(store, notes, account, kind)) {
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
    await orm.close(true);
  }
}

async function* everyAccount(em: EntityManager): AsyncGenerator<Account> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const accounts = await queryRows<Account>(
      em,
      `${selectAccount} where account_id > ? order by account_id limit ?`,
      [after, accountsPerStatement],
    );
    yield* accounts;
    const last = accounts.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function* renderKind(
  store: WriteStore,
  notes: NotesRenderer,
  account: Account,
  { table, load }: Kind,
): AsyncGenerator<Omit<RenderedNotes, 'accounts'>> {
  const em = store.em.fork();
  const outdated = `from tasks.${table} where account_id = ? and renderer_version < ? and description is not null`;
  const parameters = [account.id, notesRendererVersion];
  // All ids in one statement: paging by id would read each row from another place of the table.
  const rows = await queryRows<{ id: string }>(em, `select id ${outdated}`, parameters);
  while (rows.length > 0) {
    const ids = rows.splice(0, notesPerWrite).map(({ id }) => id);
    const texts = await queryRows<{ id: string; description: string }>(
      em,
      `select id, description ${outdated} and id = any(?::uuid[])`,
      [...parameters, ids],
    );
    const renderings = new Map<string, RenderedText>();
    for (const { id, description } of texts)
      renderings.set(id, { description, rendering: await notes.render(account.id, description) });
    const changed = await runWrite(
      store,
      operatorFor(account),
      async (session) => storeRenderings(await load(session, ids), renderings),
      (count) => count,
    );
    yield { rendered: renderings.size, changed };
  }
}

type RenderedText = { description: string; rendering: Rendering };

/** Returns the number of records whose HTML changed. */
function storeRenderings(records: readonly Noted[], renderings: ReadonlyMap<string, RenderedText>): number {
  let changed = 0;
  for (const record of records) {
    const rendered = renderings.get(record.id);
    // Notes that changed meanwhile were rendered with that change.
    if (rendered === undefined || rendered.description !== record.description) continue;
    const { html, version } = rendered.rendering;
    if (record.descriptionHtml !== html) changed += 1;
    record.descriptionHtml = html;
    record.rendererVersion = version;
  }
  return changed;
}
