import type { AppEntity } from '#shared/app/app-protocol.ts';
import type { Actor } from './actor.ts';

/** A row or part of it by column names, in PostgreSQL's JSON. */
export type Values = Readonly<Record<string, unknown>>;

/** The change of one record by one transaction, compared with the record's current state. */
export type RecordChange = {
  entity: AppEntity;
  id: string;
  change: 'created' | 'updated' | 'deleted';
  /** Old values of the changed columns; of all if it deleted the record, of none if it created it. */
  before: Values;
  /** Columns whose current value differs from the one that it wrote. */
  changedSince: readonly string[];
  /** Values that it wrote to columns that were changed again, without texts. */
  left: Values;
  /** Columns whose current value is the old one. */
  alreadyBack: readonly string[];
  /** The current row without its texts; null if it was deleted. */
  present: Values | null;
};

/** A change as stored in the history, with the values that it wrote. */
export type HistoryChange = {
  sequence: number;
  stamp: string;
  entity: AppEntity;
  id: string;
  change: RecordChange['change'];
  actor: Actor;
  /** A redo: an undo of an undo. */
  isRedo: boolean;
  isUndone: boolean;
  isPartlyUndone: boolean;
  /** null if the change created the record. */
  before: Values | null;
  /** The new values of the same columns, and of a task's dates. */
  after: Values;
  title: string;
  /** The project of a section, which never changes. */
  sectionOf: string | null;
};

export type OccurrenceChange = { stamp: string; id: string; change: 'created' | 'deleted' };

/** Whether the value was too long to be stored (migration 0007). */
export function isDropped(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'isDropped' in value;
}

/** The public name of a column. */
export function fieldOf(column: string): string {
  if (column === 'trashed_at') return 'inTrash';
  if (column === 'position') return 'rank';
  return column.replace(/_[a-z]/g, (part) => part.charAt(1).toUpperCase());
}
