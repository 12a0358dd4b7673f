import { commandWords } from '../words/command-words.ts';
import type { AnsweredRecord, OwnStamps } from './answered-record.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxRecord } from './outbox-record.ts';
import { type Reconciled, reconcile } from './reconcile.ts';
import type { RowKey } from './row-types.ts';
import type { Rows } from './rows.ts';
import type { Sendable } from './sending-order.ts';

type Joined = { body: Record<string, unknown>; base: Record<string, unknown>; isUnknown: boolean };

type Parts = {
  rows: Rows;
  outbox: Outbox;
  /** Brings notes and checklist up to date. */
  fetchTexts(ids: readonly string[]): Promise<void>;
  /** Who else changed the row. */
  actorName(key: RowKey): string | null;
  ownStamps: OwnStamps;
  onAnswered(answered: AnsweredRecord): void;
};

/** Compares what is to be sent with the server's row, as far as this browser knows it. */
export function createSendPreparation(parts: Parts) {
  const { rows, outbox, fetchTexts, actorName, ownStamps, onAnswered } = parts;
  const serverRow = ({ row }: OutboxRecord): Record<string, unknown> | undefined => {
    const found = rows.table(row.entity).server.get(row.id);
    return found && Object.fromEntries(Object.entries(found));
  };

  async function drop(group: Sendable, kind: 'gone' | 'state', message: string): Promise<'settled'> {
    await outbox.refuse(group, { kind, message, requestId: null });
    return 'settled';
  }

  /** An earlier try has arrived, though its answer has not. */
  async function conclude(group: Sendable, first: OutboxRecord): Promise<'settled'> {
    const stamp = rows.table(first.row.entity).server.get(first.row.id)?.updatedAt ?? '';
    // A deletion's row does not tell when it was made.
    const stamps = first.method === 'PATCH' ? ownStamps(first.row, stamp, first.sentOn ?? stamp) : [];
    for (const { n, command } of group) onAnswered({ n, command, stamps, body: null });
    await outbox.remove(group.map(({ n }) => n));
    return 'settled';
  }

  async function askAboutNotes(group: Sendable, first: OutboxRecord, notes: string): Promise<'settled'> {
    const theirs = { notes, by: actorName(first.row) };
    const places = group.filter(({ body }) => body?.description !== undefined).map(({ n }) => n);
    await outbox.change(places, (record) => ({
      ...record,
      hold: 'notes',
      theirs,
      sentAt: null,
      sentOn: null,
    }));
    return 'settled';
  }

  /** With its texts where they are changed. A task that this device does not hold is in the Trash, or closed long ago. */
  async function freshTask({ entity, id }: RowKey, body: object): Promise<void> {
    const needsTexts = 'description' in body || 'checklist' in body;
    const task = rows.tasks.server.get(id);
    const isStale = task === undefined || (needsTexts && task.textsAt !== task.updatedAt);
    if (entity === 'task' && isStale) await fetchTexts([id]);
  }

  async function preparePatch(group: Sendable, first: OutboxRecord, { body, base, isUnknown }: Joined) {
    await freshTask(first.row, body);
    const server = serverRow(first);
    if (server === undefined) return body;
    if (server.inTrash === true) return drop(group, 'gone', commandWords.inTrash);
    const reconciled: Reconciled = reconcile(body, base, server, isUnknown);
    if (reconciled.theirs !== null) return askAboutNotes(group, first, reconciled.theirs);
    if (Object.keys(reconciled.body).length > 0) return reconciled.body;
    if (reconciled.dropped.length > 0) return drop(group, 'state', commandWords.changedMeanwhile);
    return conclude(group, first);
  }

  /** The body to send; `settled`: nothing is to be sent, the records are dealt with. */
  return async (group: Sendable, joined: Joined): Promise<OutboxRecord['body'] | 'settled'> => {
    const [first] = group;
    if (first === undefined) return 'settled';
    if (first.method === 'PATCH') return preparePatch(group, first, joined);
    const server = serverRow(first);
    const isDeleted = server === undefined || server.inTrash === true;
    if (first.method === 'DELETE' && joined.isUnknown && isDeleted) return conclude(group, first);
    return withoutGoneSection(first, rows, joined.isUnknown);
  };
}

/** The tasks of a deleted section are in its project. What may have arrived is repeated as it was. */
function withoutGoneSection({ body }: OutboxRecord, rows: Rows, isUnknown: boolean) {
  const { sectionId } = body ?? {};
  const isGone = typeof sectionId === 'string' && !rows.sections.server.has(sectionId);
  return isGone && !isUnknown ? { ...body, sectionId: null } : body;
}
