import type { AppEntity } from '#shared/app/app-protocol.ts';
import type { Actor } from './actor.ts';
import type { RecordChange, Values } from './record-change.ts';

/** A change as the history keeps it, with what it wrote. */
export type HistoryChange = {
  sequence: number;
  stamp: string;
  entity: AppEntity;
  id: string;
  change: RecordChange['change'];
  actor: Actor;
  /** An undo that puts back what another one took back. */
  isRedo: boolean;
  isUndone: boolean;
  isPartlyUndone: boolean;
  /** Null when created. */
  before: Values | null;
  /** The new values of the same columns; of a task also its dates. */
  after: Values;
  title: string;
  /** The project of a section, which it keeps as long as it exists. */
  sectionOf: string | null;
};

export type OccurrenceChange = { stamp: string; id: string; change: 'created' | 'deleted' };
