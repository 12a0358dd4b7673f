import type { AppEntity } from '#shared/app/app-protocol.ts';
import type { Actor } from './actor.ts';
import type { RecordChange, Values } from './record-change.ts';

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
