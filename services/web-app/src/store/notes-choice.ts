import type { OutboxRecord } from './outbox-record.ts';

/** What becomes of a change of notes that others have changed meanwhile. */
export type NotesChoice = (record: OutboxRecord) => OutboxRecord | null;

/** What the server has is what this change is made on. */
export function keepMine(record: OutboxRecord): OutboxRecord {
  return { ...record, hold: null, theirs: null, base: { ...record.base, description: record.theirs?.notes } };
}

/** Null when nothing else was changed. */
export function takeTheirs(record: OutboxRecord): OutboxRecord | null {
  const { description: _, ...body } = record.body ?? {};
  if (Object.keys(body).length === 0) return null;
  const changes = record.changes.map((change) => {
    if (change.entity !== 'task' || !('set' in change)) return change;
    const { description: _notes, descriptionHtml: _html, hasNotes: _has, ...set } = change.set;
    return { ...change, set };
  });
  return { ...record, body, changes, hold: null, theirs: null };
}
