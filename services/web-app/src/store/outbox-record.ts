import type { RowChange, RowKey } from './row-types.ts';

/** One write that the server has not confirmed yet. Kept in IndexedDB; `changes` is what the screen shows of it. */
export type OutboxRecord = {
  /** Its place in the outbox. */
  n: number;
  /** `Idempotency-Key` of a POST. */
  key: string;
  method: 'POST' | 'PATCH' | 'DELETE';
  /** Below the host. May hold temporary ids. */
  path: string;
  body: Record<string, unknown> | null;
  /** Writes of one row are sent in order. */
  row: RowKey;
  /** Of a record that creates `row`: what the server answers gets the id. */
  creates: boolean;
  /** Shown values of the fields in `body` before this write: what a conflict is told by. */
  base: Record<string, unknown>;
  changes: RowChange[];
  /** What toasts call it: the row's title. */
  title: string;
  /** Records of one command share it; the server's history knows their changes by it. */
  command: string;
  /** When it was handed to the network: from then on the server may have it. */
  sentAt: number | null;
  /** Tries that ended in a fault of the server. */
  faults: number;
  /** Waits for its user: after three faults, over notes changed on both sides, for a place in the plan. */
  hold: 'fault' | 'notes' | 'plan' | null;
  /** Other notes that the server has by now. */
  theirs: { notes: string; by: string | null } | null;
  /** Why the server did not take it: kept until its user tries again or lets it go. */
  refused?: Refused;
};

export type PlanCap = 'projects' | 'areas' | 'deadline' | 'storage';

export type Refused = {
  kind: 'gone' | 'state' | 'invalid' | 'fault' | 'limit';
  limit?: PlanCap;
  /** The server's words. */
  message: string;
  requestId: string | null;
};

/** Refused, and nothing waits for it: the rows are the server's again. */
export function isPutBack({ refused, hold }: OutboxRecord): boolean {
  return refused !== undefined && hold === null;
}

/** Each with what was refused of the row that it makes: that is decided with it. */
export function refusedGroups(refused: readonly OutboxRecord[]): OutboxRecord[][] {
  const made = new Set(refused.filter(({ creates }) => creates).map(({ row }) => row.id));
  const groups = Map.groupBy(refused, ({ n, row }) => (made.has(row.id) ? row.id : n));
  return [...groups.values()];
}

/** With another key: to the same one the server would answer as before. Of a fault it may have the record. */
export function tryAgain({ refused, ...record }: OutboxRecord, newKey: string): OutboxRecord {
  const key = refused?.kind === 'fault' ? record.key : newKey;
  return { ...record, key, hold: null, faults: 0 };
}

export const hasProject = (body: OutboxRecord['body']): boolean => typeof body?.projectId === 'string';

/** What its user typed. */
export function textOf({ body }: OutboxRecord): string | null {
  if (body === null) return null;
  const { title, description, checklist } = body;
  const items: unknown[] = Array.isArray(checklist) ? checklist.map((item) => item?.title) : [];
  const typed = [title, description, items.filter((item) => typeof item === 'string').join('\n')];
  const texts = typed.filter((text) => typeof text === 'string' && text !== '');
  return texts.length === 0 ? null : texts.join('\n\n');
}

export type RecordDraft = Pick<OutboxRecord, 'method' | 'path' | 'row' | 'changes' | 'title'> &
  Partial<Pick<OutboxRecord, 'body' | 'creates' | 'base'>>;
