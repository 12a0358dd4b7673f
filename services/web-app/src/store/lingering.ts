import { type ReadonlySignal, signal } from '@preact/signals';
import type { RecordDraft } from './outbox-record.ts';

/** The row of a closed task folds this long after the last completion. */
const lingerMilliseconds = 1200;
/** As list.css has it. */
const foldMilliseconds = 200;

export type Lingering = {
  ids: ReadonlySignal<ReadonlySet<string>>;
  /** Their rows fold now. */
  isFolding: ReadonlySignal<boolean>;
  /** Tasks that these drafts close. */
  note(drafts: readonly RecordDraft[]): void;
};

export function createLingering(): Lingering {
  const ids = signal<ReadonlySet<string>>(new Set());
  const isFolding = signal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    ids.value = new Set();
    isFolding.value = false;
  }

  return {
    ids,
    isFolding,
    note(drafts) {
      const closed = drafts.flatMap(closedBy);
      if (closed.length === 0) return;
      ids.value = new Set([...ids.value, ...closed]);
      isFolding.value = false;
      clearTimeout(timer);
      timer = setTimeout(() => {
        isFolding.value = true;
        timer = setTimeout(end, foldMilliseconds);
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
