import { commandWords } from '../words/command-words.ts';
import type { Outbox, Rename } from './outbox.ts';
import type { OutboxRecord } from './outbox-record.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import { isChecklist, type RowKey } from './row-types.ts';
import type { Rows } from './rows.ts';

type Parts = {
  rows: Rows;
  outbox: Outbox;
  /** Fetches the current notes and checklist. */
  fetchTexts(ids: readonly string[]): Promise<void>;
  /** The other actor that changed the row. */
  actorName(key: RowKey): string | null;
  rename(renames: readonly Rename[]): Promise<void>;
  conclude(record: OutboxRecord): Promise<void>;
};

/** Compares a record with the server's row in the local copy. */
export function createSendPreparation(parts: Parts) {
  const { rows, outbox, fetchTexts, actorName, rename } = parts;
  const serverRow = ({ row }: OutboxRecord): OutboxRecord['base'] | undefined =>
    rows.table(row.entity).server.get(row.id);

  async function drop(record: OutboxRecord, kind: 'gone' | 'state', message: string): Promise<'settled'> {
    await outbox.refuse([record], { kind, message, requestId: null });
    return 'settled';
  }

  /** An earlier attempt arrived, but its response did not. */
  async function conclude(record: OutboxRecord): Promise<'settled'> {
    await parts.conclude(record);
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
    await freshTask(record.row, record.body ?? {});
    const server = serverRow(record);
    if (server === undefined) return record.body;
    if (server.inTrash === true) return drop(record, 'gone', commandWords.inTrash);
    const renames = storedItems(record, server);
    if (renames.length > 0) await rename(renames);
    const { body, base, sentAt } = outbox.latest(record);
    const reconciled: Reconciled = reconcile(body ?? {}, base, server, sentAt !== null);
    if (reconciled.theirs !== null) return askAboutNotes(record, reconciled.theirs);
    // As a whole: the rest alone is not what was asked for.
    if (reconciled.dropped.length > 0) return drop(record, 'state', commandWords.changedMeanwhile);
    if (Object.keys(reconciled.body).length > 0) return reconciled.body;
    return conclude(record);
  }

  /** The body to send; `settled`: nothing has to be sent. */
  return async (record: OutboxRecord): Promise<OutboxRecord['body'] | 'settled'> => {
    if (record.method === 'PATCH') return preparePatch(record);
    const server = serverRow(record);
    const isDeleted = server === undefined || server.inTrash === true;
    const { id } = record.row;
    // The response named the row, but the page ended before the record left.
    const isMade = record.creates && outbox.keyOf(id) !== id;
    const isGone = record.method === 'DELETE' && record.sentAt !== null && isDeleted;
    return isMade || isGone ? conclude(record) : withoutGoneSection(record, rows);
  };
}

/** Checklist items that an unanswered attempt added, with the ids that the server gave them. */
function storedItems({ body, base, sentAt }: OutboxRecord, server: OutboxRecord['base']): Rename[] {
  const [mine, before, present] = [body?.checklist, base.checklist, server.checklist];
  if (sentAt === null || !isChecklist(mine) || !isChecklist(before) || !isChecklist(present)) return [];
  const newIn = (items: typeof mine, other: typeof mine) =>
    items.filter(({ id }) => ![...before, ...other].some((known) => known.id === id));
  const theirs = newIn(present, mine);
  return newIn(mine, present).flatMap(({ id, title }) => {
    const place = theirs.findIndex((item) => item.title === title);
    return theirs.splice(place, place < 0 ? 0 : 1).map((item): Rename => [id, item.id]);
  });
}

/** Tasks of a deleted section are in its project's root. What may have arrived is repeated unchanged. */
function withoutGoneSection({ body, sentAt }: OutboxRecord, rows: Rows) {
  const { sectionId } = body ?? {};
  const isGone = typeof sectionId === 'string' && !rows.sections.server.has(sectionId);
  return isGone && sentAt === null ? { ...body, sectionId: null } : body;
}
