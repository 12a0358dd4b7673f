import type { UndoResponse } from '#shared/app/app-protocol.ts';
import type { WriteSession } from '../session.ts';
import { type ChangedRecord, findRecordChanges } from './change-repository.ts';
import { isDropped, type RecordChange } from './record-change.ts';
import { type KeptField, laterChange, type Reverted, tooLong } from './revert-fields.ts';
import { type Renderings, restoreRow, updateRows } from './undo-writes.ts';

/** The undo of one earlier transaction, within a new one. */
export type Undo = {
  session: WriteSession;
  /** Stamp of the transaction to undo. */
  stamp: string;
  renderings: Renderings;
  /** Loads the details of some of its records. */
  load(records: readonly ChangedRecord[]): Promise<RecordChange[]>;
  update(change: RecordChange, reverted: Reverted): void;
  keep(change: RecordChange, kept: KeptField): void;
  /** Counts records that were restored. */
  count(records: number): void;
};

export type Undone = Pick<UndoResponse, 'undone' | 'kept'>;

export const changedSince: KeptField = { field: null, reason: laterChange.own };

export function startUndo(session: WriteSession, stamp: string, renderings: Renderings) {
  const kept: UndoResponse['kept'] = [];
  let count = 0;
  const undo: Undo = {
    session,
    stamp,
    renderings,
    load: (records) =>
      records.length === 0 ? Promise.resolve([]) : findRecordChanges(session, stamp, records),
    update(change, reverted) {
      for (const field of reverted.kept) undo.keep(change, field);
      if (Object.keys(reverted.changes).length === 0) return;
      updateRows(session, change.entity, [change.id], reverted.changes, renderings);
      undo.count(1);
    },
    keep({ entity, id, present, before }, field) {
      session.renew();
      kept.push({ stamp, entity, id, title: String(present?.title ?? before.title ?? ''), ...field });
    },
    count(records) {
      // Thousands of records may have needed a query each.
      session.renew();
      count += records;
    },
  };
  return { undo, undone: (): Undone => ({ undone: count, kept }) };
}

/** Restores a row that the transaction deleted. */
export function bringBack(undo: Undo, change: RecordChange): void {
  if (Object.values(change.before).some(isDropped)) {
    undo.keep(change, tooLong);
    return;
  }
  restoreRow(undo.session, change.entity, change.id, change.before, undo.renderings);
  undo.count(1);
}
