import type { EntityManager } from '@mikro-orm/postgresql';
import { createEnvReader, type Environment } from '#shared/config/read-env.ts';
import { queryRows } from '#shared/database/query-rows.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { Account } from '../auth/principal.ts';
import { readNotesLimits } from '../config/config.ts';
import { connectTasksDatabase } from '../database/tasks-orm.ts';
import { createNotesRenderer, type NotesRenderer } from '../notes/notes-renderer.ts';
import { notesRendererVersion } from '../notes/renderer-version.ts';
import { ProjectEntity } from '../projects/project-entity.ts';
import { runWrite, type WriteSession, type WriteStore } from '../session.ts';
import { createAccountTurns } from '../sync/account-turns.ts';
import { TaskEntity } from '../tasks/task-entity.ts';
import { operatorFor } from './operator.ts';
import { selectAccount } from './require-account.ts';

/** How many accounts were gone through, how many notes were rendered, and how many of these look different now. */
export type RenderedNotes = { accounts: number; rendered: number; changed: number };

/** Held in memory at once, and written while nobody else writes to their account. */
const notesPerWrite = 20;
const accountsPerStatement = 500;
/** The first look at an account reads all its rows, of which there may be a million. */
const waitMilliseconds = 120_000;
/** Nobody waits for the answer to a write: other work on the machine is no reason to show plain text. */
const maxWaitMilliseconds = 60_000;

type Noted = { id: string; description?: string | null; descriptionHtml: string; rendererVersion: number };
type Kind = { table: string; load(session: WriteSession, ids: string[]): Promise<Noted[]> };

const kinds: readonly Kind[] = [
  { table: 'task', load: ({ em, account }, id) => em.find(TaskEntity, { accountId: account.id, id }) },
  { table: 'project', load: ({ em, account }, id) => em.find(ProjectEntity, { accountId: account.id, id }) },
];

/**
 * Renders again what an earlier version of the renderer has rendered, of all accounts, suspended ones too. Notes that
 * look different now are stamped and entered in the feed as any change, others are not. What is done stays done: it
 * may be ended at any time and begun again. `tell` hears how far it is. Throws a ConfigError for limits of notes in
 * `environment` that the services would not take either, and service_unavailable.
 */
export async function renderNotesAgain(
  databaseUrl: string,
  environment: Environment,
  tell: (done: RenderedNotes) => void,
): Promise<RenderedNotes> {
  const reader = createEnvReader(environment);
  const limits = readNotesLimits(reader);
  reader.finish();
  const orm = await connectTasksDatabase({ url: databaseUrl, poolSize: 2, waitMilliseconds });
  const notes = createNotesRenderer({ ...limits, maxWaitMilliseconds });
  const store = { em: orm.em, accountTurns: createAccountTurns(), clock: systemClock, isUpkeep: true };
  const done = { accounts: 0, rendered: 0, changed: 0 };
  try {
    for await (const account of everyAccount(orm.em.fork())) {
      for (const kind of kinds) {
        for await (const { rendered, changed } of renderKind(store, notes, account, kind)) {
          done.rendered += rendered;
          done.changed += changed;
          tell(done);
        }
      }
      done.accounts += 1;
      tell(done);
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
  // All at once: in the order of ids, for parts of it, each row would be read from a place of its own.
  const rows = await queryRows<{ id: string }>(em, `select id ${outdated}`, parameters);
  while (rows.length > 0) {
    const ids = rows.splice(0, notesPerWrite).map(({ id }) => id);
    const texts = await queryRows<{ id: string; description: string }>(
      em,
      `select id, description ${outdated} and id = any(?::uuid[])`,
      [...parameters, ids],
    );
    const renderings = new Map<string, Rendering>();
    for (const { id, description } of texts)
      renderings.set(id, { description, html: await notes.render(description) });
    const changed = await runWrite(
      store,
      operatorFor(account),
      async (session) => storeRenderings(await load(session, ids), renderings),
      (count) => count,
    );
    yield { rendered: renderings.size, changed };
  }
}

type Rendering = { description: string; html: string };

/** Answers how many look different now. */
function storeRenderings(records: readonly Noted[], renderings: ReadonlyMap<string, Rendering>): number {
  let changed = 0;
  for (const record of records) {
    const rendering = renderings.get(record.id);
    // Otherwise its notes were changed meanwhile, and rendered by whoever did.
    if (rendering === undefined || rendering.description !== record.description) continue;
    if (record.descriptionHtml !== rendering.html) changed += 1;
    record.descriptionHtml = rendering.html;
    record.rendererVersion = notesRendererVersion;
  }
  return changed;
}
