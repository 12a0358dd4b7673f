import { type ReadonlySignal, signal } from '@preact/signals';
import type { RecordDraft } from './outbox-record.ts';

/** The row of a closed task folds this long after the last completion. */
const lingerMilliseconds = 1200;

export type Lingering = {
  ids: ReadonlySignal<ReadonlySet<string>>;
  /** Tasks that these drafts close. */
  note(drafts: readonly RecordDraft[]): void;
};

export function createLingering(): Lingering {
  const ids = signal<ReadonlySet<string>>(new Set());
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    ids,
    note(drafts) {
      const closed = drafts.flatMap(closedBy);
      if (closed.length === 0) return;
      ids.value = new Set([...ids.value, ...closed]);
      clearTimeout(timer);
      timer = setTimeout(() => {
        ids.value = new Set();
      }, lingerMilliseconds);
    },
  };
}

function closedBy({ changes, creates }: RecordDraft): string[] {
  if (creates) return [];
  return changes.flatMap((change) => {
    if (change.entity !== 'task' || !('set' in change)) return [];
    const { status } = change.set;
    return status === 'completed' || status === 'cancelled' ? [change.id] : [];
  });
}
