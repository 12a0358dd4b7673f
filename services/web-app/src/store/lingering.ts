import { signal } from '@preact/signals';
import type { RecordDraft } from './outbox-record.ts';

/** How long after the last completion rows of closed tasks fold. */
const lingerMilliseconds = 1200;
/** As list.css has it. */
const foldMilliseconds = 200;

export type Lingering = ReturnType<typeof createLingering>;

export function createLingering() {
  const ids = signal<ReadonlySet<string>>(new Set());
  const isFolding = signal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    ids.value = new Set();
    isFolding.value = false;
  }

  return {
    ids,
    /** Folds their rows now. */
    isFolding,
    /** The tasks that these drafts close. */
    note(drafts: readonly RecordDraft[]): void {
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
