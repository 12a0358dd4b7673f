import { commandWords } from '../words/command-words.ts';
import type { Outbox } from './outbox.ts';
import type { AnsweredRecord, OutboxRecord } from './outbox-record.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import type { RowKey } from './row-types.ts';
import type { Rows } from './rows.ts';

type Parts = {
  rows: Rows;
  outbox: Outbox;
  /** Fetches the current notes and checklist. */
  fetchTexts(ids: readonly string[]): Promise<void>;
  /** The other actor that changed the row. */
  actorName(key: RowKey): string | null;
  onAnswered(answered: AnsweredRecord): void;
};

/** Compares a record with the server's row in the local copy. */
export function createSendPreparation(parts: Parts) {
  const { rows, outbox, fetchTexts, actorName, onAnswered } = parts;
  const serverRow = ({ row }: OutboxRecord): Record<string, unknown> | undefined => {
    const found = rows.table(row.entity).server.get(row.id);
    return found && Object.fromEntries(Object.entries(found));
  };

  async function drop(record: OutboxRecord, kind: 'gone' | 'state', message: string): Promise<'settled'> {
    await outbox.refuse([record], { kind, message, requestId: null });
    return 'settled';
  }

  /** An earlier attempt arrived, but its response did not. */
  async function conclude({ n, command }: OutboxRecord): Promise<'settled'> {
    onAnswered({ n, command, body: null });
    await outbox.remove([n]);
    return 'settled';
  }

  async function askAboutNotes({ n, row }: OutboxRecord, notes: string): Promise<'settled'> {
    const theirs = { notes, by: actorName(row) };
    await outbox.change([n], (record) => ({ ...record, hold: 'notes', theirs, sentAt: null }));
    return 'settled';
  }

  /** With its texts if the record changes them. A missing task is trashed or was closed long ago. */
  async function freshTask({ entity, id }: RowKey, body: object): Promise<void> {
    const needsTexts = 'description' in body || 'checklist' in body;
    const task = rows.tasks.server.get(id);
    const isStale = task === undefined || (needsTexts && task.textsAt !== task.updatedAt);
    if (entity === 'task' && isStale) await fetchTexts([id]);
  }

  async function preparePatch(record: OutboxRecord) {
    const { body, base, row, sentAt } = record;
    if (body === null) return body;
    await freshTask(row, body);
    const server = serverRow(record);
    if (server === undefined) return body;
    if (server.inTrash === true) return drop(record, 'gone', commandWords.inTrash);
    const reconciled: Reconciled = reconcile(body, base, server, sentAt !== null);
    if (reconciled.theirs !== null) return askAboutNotes(record, reconciled.theirs);
    if (Object.keys(reconciled.body).length > 0) return reconciled.body;
    if (reconciled.dropped.length > 0) return drop(record, 'state', commandWords.changedMeanwhile);
    return conclude(record);
  }

  /** The body to send; `settled`: nothing has to be sent. */
  return async (record: OutboxRecord): Promise<OutboxRecord['body'] | 'settled'> => {
    if (record.method === 'PATCH') return preparePatch(record);
    const server = serverRow(record);
    const isDeleted = server === undefined || server.inTrash === true;
    if (record.method === 'DELETE' && record.sentAt !== null && isDeleted) return conclude(record);
    return withoutGoneSection(record, rows);
  };
}

/** Tasks of a deleted section are in its project's root. What may have arrived is repeated unchanged. */
function withoutGoneSection({ body, sentAt }: OutboxRecord, rows: Rows) {
  const { sectionId } = body ?? {};
  const isGone = typeof sectionId === 'string' && !rows.sections.server.has(sectionId);
  return isGone && sentAt === null ? { ...body, sectionId: null } : body;
}
