import type { ImportProgress } from '#shared/app/import-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import type { AppError } from '#shared/errors/app-error.ts';
import { codeOf } from '#shared/errors/error-code.ts';
import { invalidState, notFound } from '#shared/errors/errors.ts';
import type { Principal } from '../auth/principal.ts';
import { longStatementMilliseconds } from '../database/tasks-database.ts';
import type { NotesRenderer } from '../notes/notes-renderer.ts';
import { requireWithinStorage } from '../plans/storage-limit.ts';
import { runWrite, type WriteSession, type WriteStore } from '../session.ts';
import { createFileChecker, type FileRow, type PlanNeeds, requirePlan } from './check-account-file.ts';
import type { FileCounts, RowKind } from './file-format.ts';
import {
  findRepeatedTask,
  type ImportKey,
  isAccountEmpty,
  renewImport,
  stageRows,
  storeRows,
} from './import-repository.ts';
import { fileError, readAccountFile } from './read-account-file.ts';

type ImportOptions = {
  store: WriteStore;
  notes: Pick<NotesRenderer, 'render'>;
  principal: Principal;
  importId: string;
  chunks: AsyncIterable<Uint8Array>;
  onProgress(progress: ImportProgress): void;
  /** Throws if the import is no longer allowed. Called at the end, before the commit. */
  requireAccess?(db: Queryable): Promise<void>;
  signal?: AbortSignal;
};

const kinds = ['area', 'project', 'section', 'task'] as const;
const rowsPerPiece = 500;
const bytesPerPiece = 2_000_000;

/** The number of pieces of each kind, and of rows in all of them. */
type Staged = { pieces: Record<RowKind, number>; rows: number };

const renewalMilliseconds = 5_000;

/**
 * Stores all of a file in an empty account, or nothing. Everything is checked and rendered before the
 * account's lock is taken. Throws validation_error naming the line, what the plan does not allow, and
 * invalid_state for an account that is not empty.
 */
export async function importAccount(options: ImportOptions): Promise<FileCounts> {
  const { store, principal, importId } = options;
  const key = { accountId: principal.account.id, importId };
  await requireEmptyAccount(store.database, key.accountId);
  // If one fails, the next one renews it.
  const renew = () => void renewImport(store.database, key, store.clock.now()).catch(() => undefined);
  const renewal = setInterval(renew, renewalMilliseconds);
  try {
    return await checkAndStore(options, key);
  } finally {
    clearInterval(renewal);
  }
}

async function checkAndStore(options: ImportOptions, key: ImportKey): Promise<FileCounts> {
  const { store, principal } = options;
  const { counts, needs, staged } = await checkAndStage(options);
  const longStore = { ...store, statementMilliseconds: longStatementMilliseconds };
  const work = (session: WriteSession) => storeAll(session, options, needs, staged);
  await runWrite(longStore, principal, work).catch(async (error: unknown) => {
    if (codeOf(error) !== uniqueViolation) throw error;
    const repeated = await findRepeatedTask(store.database, key);
    throw fileError(1, 'tasks', `two tasks have the id ${repeated}`);
  });
  return counts;
}

/** Task ids are not kept in memory, so duplicates are found by the database; other ids were checked. */
const uniqueViolation = '23505';

/** Throws invalid_state. */
export async function requireEmptyAccount(db: Queryable, accountId: string): Promise<void> {
  if (await isAccountEmpty(db, accountId)) return;
  throw invalidState(
    'Only an empty account takes an import: this one has tasks, projects or areas, perhaps in the Trash.',
  );
}

export function importRuns(): AppError {
  return invalidState(
    'An import of this account is running. One that was cut off can be repeated after a minute.',
  );
}

export function uploadGone(): AppError {
  return notFound('Another import of this account has replaced this one, of which nothing is stored.');
}

/** The first pass checks, renders and stages the rows. */
async function checkAndStage(
  options: ImportOptions,
): Promise<{ counts: FileCounts; needs: PlanNeeds; staged: Staged }> {
  const { principal, chunks, signal } = options;
  const checker = createFileChecker(principal.account.plan);
  const stager = createStager(options);
  for await (const entries of readAccountFile(chunks)) {
    for (const entry of entries) {
      signal?.throwIfAborted();
      for (const row of await checker.check(entry)) await stager.add(row);
    }
  }
  return { ...checker.finish(), staged: await stager.finish() };
}

/** Rows of one kind that are not staged yet, and their ids. */
type Pending = { rows: Record<string, unknown>[]; bytes: number; ids: Set<unknown> };

const nonePending = (): Pending => ({ rows: [], bytes: 0, ids: new Set() });

/** Keeps the rows of a file in pieces of a bounded size. */
function createStager({ store, notes, principal, importId, onProgress }: ImportOptions) {
  const { id: accountId } = principal.account;
  const pieces = { area: 0, project: 0, section: 0, task: 0 };
  const pending = {
    area: nonePending(),
    project: nonePending(),
    section: nonePending(),
    task: nonePending(),
  };
  let count = 0;

  async function flush(kind: RowKind): Promise<void> {
    const { rows } = pending[kind];
    if (rows.length === 0) return;
    await stageRows(store.database, { accountId, importId }, { kind, number: pieces[kind], rows });
    pieces[kind] += 1;
    pending[kind] = nonePending();
    onProgress({ phase: 'checking', rows: count });
  }

  return {
    async add({ kind, line, values: { dayPlace, ...values } }: FileRow): Promise<void> {
      const piece = pending[kind];
      if (piece.ids.has(values.id)) throw fileError(line, `${kind}s`, `the id ${values.id} comes twice`);
      const rendered = await renderNotes(notes, accountId, values.description);
      piece.ids.add(values.id);
      piece.rows.push({ ...values, ...rendered, rank: count, ...(kind === 'task' && { dayRank: dayPlace }) });
      piece.bytes += sizeOf(values) + (rendered.descriptionHtml?.length ?? 0);
      count += 1;
      if (piece.rows.length >= rowsPerPiece || piece.bytes > bytesPerPiece) await flush(kind);
    },
    async finish(): Promise<Staged> {
      for (const kind of kinds) await flush(kind);
      return { pieces, rows: count };
    },
  };
}

/** Renders the notes of rows that have any. */
async function renderNotes(
  notes: ImportOptions['notes'],
  accountId: string,
  description: unknown,
): Promise<{ descriptionHtml?: string; rendererVersion?: number }> {
  if (description === undefined) return {};
  const markdown = typeof description === 'string' ? description : null;
  const { html, version } = await notes.render(accountId, markdown);
  return { descriptionHtml: html, rendererVersion: version };
}

function sizeOf({ description, checklist }: Record<string, unknown>): number {
  return String(description ?? '').length + (checklist === undefined ? 0 : JSON.stringify(checklist).length);
}

/** The second pass only runs statements, under the account's lock. */
async function storeAll(
  session: WriteSession,
  { store, importId, onProgress, requireAccess, signal }: ImportOptions,
  needs: PlanNeeds,
  staged: Staged,
): Promise<void> {
  await requireEmptyAccount(session.db, session.account.id);
  await requirePlan(session.account.plan, needs);
  const firstRank = session.bottomRank();
  let rows = 0;
  for (const kind of kinds) {
    for (let number = 0; number < staged.pieces[kind]; number += 1) {
      signal?.throwIfAborted();
      rows += await storeRows(session, { importId, firstRank }, kind, number);
      onProgress({ phase: 'storing', rows });
    }
  }
  // Pieces are deleted when another upload replaces this one, and with the account.
  if (rows !== staged.rows) throw invalidState('The import was interrupted. Nothing is stored.');
  await requireWithinStorage(session.db, session.account.id, store.storageLimitBytes);
  await requireAccess?.(session.db);
}
