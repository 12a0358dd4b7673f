import type { AppEntity } from '#shared/app/app-protocol.ts';

/** A row, or some of it, by the names of its columns, as PostgreSQL writes it in JSON. */
export type Values = Readonly<Record<string, unknown>>;

/** What one transaction did to one record, and what became of it since. */
export type RecordChange = {
  entity: AppEntity;
  id: string;
  change: 'created' | 'updated' | 'deleted';
  /** Old values of what it changed; of every column when it deleted the record, none when it created it. */
  before: Values;
  /** Columns that hold another value now than it left in them. */
  changedSince: readonly string[];
  /** What it left in columns that were changed again, without texts. */
  left: Values;
  /** Columns whose old value is the present one. */
  alreadyBack: readonly string[];
  /** The row now, without its texts; null when it is gone. */
  present: Values | null;
};

/** Whether the value took too much room to be kept (migration 0007). */
export function isDropped(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'isDropped' in value;
}

/** The name of a column on the wire. */
export function fieldOf(column: string): string {
  if (column === 'trashed_at') return 'inTrash';
  if (column === 'position') return 'rank';
  return column.replace(/_[a-z]/g, (part) => part.charAt(1).toUpperCase());
}
