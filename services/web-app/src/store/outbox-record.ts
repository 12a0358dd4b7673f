import { viewDate } from './order.ts';
import type { RowChange, RowKey, TaskRow } from './row-types.ts';

/** One write that the server has not confirmed yet, kept in IndexedDB; the screen shows its `changes`. */
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
  /** For a record that creates `row`: the response has the id. */
  creates: boolean;
  /** Values of the fields in `body` shown before this write, to detect conflicts. */
  base: Record<string, unknown>;
  changes: RowChange[];
  /** The row's title in toasts. */
  title: string;
  /** Records of one command share it; the server's history knows their changes by it. */
  command: string;
  /** When it was sent: from then on the server may have it. */
  sentAt: number | null;
  /** Number of attempts that ended in a server error. */
  faults: number;
  /** Waits for the user: after three server errors, for conflicting notes, or for a limit of the plan. */
  hold: 'fault' | 'notes' | 'plan' | null;
  /** The server's conflicting notes. */
  theirs: { notes: string; by: string | null } | null;
  /** Why the server refused it; kept until the user retries or discards it. */
  refused?: Refused;
};

/** A response's result for the issuing tab. `sentAt`: of an earlier attempt whose response was lost. */
export type AnsweredRecord = Pick<OutboxRecord, 'n' | 'command' | 'sentAt'> & { body: unknown };

export type PlanCap = 'projects' | 'areas' | 'deadline' | 'storage';

export type Refused = {
  kind: 'gone' | 'state' | 'invalid' | 'fault' | 'limit';
  limit?: PlanCap;
  /** The server's message. */
  message: string;
  requestId: string | null;
};

/** Refused and rolled back: the server's rows are shown again. */
export function isPutBack({ refused, hold }: OutboxRecord): boolean {
  return refused !== undefined && hold === null;
}

/** Groups refusals of a created row with that of its creation, as they are decided together. */
export function refusedGroups(refused: readonly OutboxRecord[]): OutboxRecord[][] {
  const made = new Set(refused.filter(({ creates }) => creates).map(({ row }) => row.id));
  const groups = Map.groupBy(refused, ({ n, row }) => (made.has(row.id) ? row.id : n));
  return [...groups.values()];
}

/** With a new key, or the response would be repeated; after a server error the same: it may be stored. */
export function tryAgain({ refused, ...record }: OutboxRecord, newKey: string): OutboxRecord {
  const key = refused?.kind === 'fault' ? record.key : newKey;
  return { ...record, key, hold: null, faults: 0 };
}

export const hasProject = (body: OutboxRecord['body']): boolean => typeof body?.projectId === 'string';

/** The repeating task is on another date than the completed or skipped one. */
export function isPassed({ body }: OutboxRecord, task: TaskRow | undefined): boolean {
  return task !== undefined && body?.occurrence !== undefined && viewDate(task) !== body.occurrence;
}

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
