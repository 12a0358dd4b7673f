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
  at: number;
  /** Records of one command share it. */
  command: string;
  /** An earlier try may have reached the server. */
  unknownOutcome: boolean;
  /** Tries that ended in a fault of the server; from three on it is held. */
  faults: number;
};

export type RecordDraft = Pick<OutboxRecord, 'method' | 'path' | 'row' | 'changes' | 'title'> &
  Partial<Pick<OutboxRecord, 'body' | 'creates' | 'base'>>;
