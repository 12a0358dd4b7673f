import type { OutboxRecord } from './outbox-record.ts';

/** The user's decision about a waiting or refused change; null discards it. */
export type RecordChoice = (record: OutboxRecord) => OutboxRecord | null;

/** For notes: bases the change on the server's version. */
export function keepMine(record: OutboxRecord): OutboxRecord {
  return { ...record, hold: null, theirs: null, base: { ...record.base, description: record.theirs?.notes } };
}

/** For notes: null if nothing else was changed. */
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

/** Discards that record; tasks that were added to what it creates go to the Inbox. */
export const discardAlone =
  (id: number): RecordChoice =>
  (record) =>
    record.n !== id && record.creates && record.row.entity === 'task' ? intoInbox(record.n)(record) : null;

/** For a task meant for a project: a position after another task there does not apply to the Inbox. */
export const intoInbox =
  (id: number): RecordChoice =>
  ({ body, changes, ...record }) => {
    if (record.n !== id) return body?.scope === 'list' ? null : { ...record, body, changes };
    const { projectId: _, sectionId: _section, ...rest } = body ?? {};
    const list = 'inbox';
    const place = { list, projectId: null, sectionId: null } as const;
    return {
      ...record,
      body: { ...rest, list },
      changes: changes.map((change) =>
        change.entity === 'task' && 'set' in change
          ? { ...change, set: { ...change.set, ...place } }
          : change,
      ),
    };
  };
