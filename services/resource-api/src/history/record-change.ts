import type { AppEntity } from '#shared/app/app-protocol.ts';

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
