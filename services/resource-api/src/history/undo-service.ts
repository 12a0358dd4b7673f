import type { UndoResponse } from '#shared/app/app-protocol.ts';
import { notFound } from '#shared/errors/errors.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import { longStatementMilliseconds } from '../database/tasks-database.ts';
import { type WriteContext, writeStoreOf } from '../http/route.ts';
import type { UndoResult } from '../metrics/resource-api-metrics.ts';
import type { NotesRenderer, Rendering } from '../notes/notes-renderer.ts';
import { runWrite } from '../session.ts';
import { findExtent, findPushedOut, findStamps, findStampsOfCall } from './change-repository.ts';
import type { Undone } from './undo-context.ts';
import { recordUndo } from './undo-repository.ts';
import { undoTransaction } from './undo-transaction.ts';
import type { Renderings } from './undo-writes.ts';

/** From this number of changes on (imports), statements may take longer than in other requests. */
const changesOfLongUndo = 5_000;
const longStatements = { statementMilliseconds: longStatementMilliseconds };

type UndoContext = WriteContext & Pick<Context, 'notes' | 'metrics'>;

/** Maximum number of kept fields that are listed. */
export const keptListed = 500;

/** `keptCount` and `keptRecords` are of all that stays, also of what `kept` does not list. */
export type UndoneStamps = Omit<UndoResponse, 'keptRecords'> & {
  keptCount: number;
  keptRecords: Set<string>;
};

/**
 * Undoes the transactions with these stamps, newest first, each in its own transaction. After a failure, what
 * was undone stays so, and a repeated call continues. Throws not_found if the account has none of them, and
 * account_suspended.
 */
export async function undoStamps(
  context: UndoContext,
  principal: Principal,
  stamps: readonly string[],
): Promise<UndoneStamps> {
  const known = await findStamps(context.database, principal.account.id, stamps);
  if (known.length === 0) throw notFound();
  return undoTransactions(context, principal, known);
}

/** The same for a command of the web app, which changed nothing if it was refused. */
export async function undoCommand(
  context: UndoContext,
  principal: Principal,
  command: string,
): Promise<UndoneStamps> {
  const session = { db: context.database, account: principal.account };
  const stamps = await findStampsOfCall(session, command);
  return undoTransactions(context, principal, stamps.toReversed());
}

async function undoTransactions(
  context: UndoContext,
  principal: Principal,
  stamps: readonly string[],
): Promise<UndoneStamps> {
  const { database, notes, metrics } = context;
  const response: UndoneStamps = { undone: 0, kept: [], keptCount: 0, keptRecords: new Set(), stamps: [] };
  for (const stamp of stamps) {
    const extent = await findExtent(database, principal.account.id, stamp);
    const pushedOut = await findPushedOut(database, principal.account.id, stamp);
    const renderings = await renderNotes(notes, principal.account.id, extent.notes);
    const isLong = extent.changes >= changesOfLongUndo;
    const undoStore = { ...writeStoreOf(context), isUndo: true, ...(isLong && longStatements) };
    const { changedAt, undone, kept } = await runWrite(undoStore, principal, async (session) => {
      const result = await undoTransaction(session, stamp, renderings);
      if (result.undone > 0) recordUndo(session, stamp, [...new Set(result.kept.map((each) => each.id))]);
      const rest = pushedOut === undefined ? [] : [{ stamp, ...pushedOut, ...notInHistory }];
      return { undone: result.undone, kept: [...rest, ...result.kept], changedAt: session.changedAt };
    });
    metrics.countUndo(resultOf({ undone, kept }));
    response.undone += undone;
    response.kept.push(...kept.slice(0, keptListed - response.kept.length));
    response.keptCount += kept.length;
    for (const { id } of kept) response.keptRecords.add(id);
    if (undone > 0) response.stamps.unshift(changedAt);
  }
  return response;
}

/** One record stands for all that the transaction changed before it, too. */
const notInHistory = {
  field: null,
  reason: 'The change is too large: of this, and of what it did before this, no history is kept.',
};

function resultOf({ undone, kept }: Undone): UndoResult {
  if (undone === 0) return 'kept';
  return kept.length === 0 ? 'undone' : 'partly';
}

async function renderNotes(
  notes: Pick<NotesRenderer, 'render'>,
  accountId: string,
  earlier: readonly string[],
): Promise<Renderings> {
  const renderings = new Map<string, Rendering>([['', await notes.render(accountId, null)]]);
  for (const markdown of earlier) renderings.set(markdown, await notes.render(accountId, markdown));
  return renderings;
}
