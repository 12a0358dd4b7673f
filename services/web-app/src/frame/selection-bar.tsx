import { clearSelection, selected, selectedInOrder } from '../list/list-state.ts';
import { sayBlocked, toggleDone, trashTasks } from '../list/task-actions.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { useStore } from '../store/store-context.ts';
import { listWords } from '../words/list-words.ts';
import { screenWords as words } from '../words/screen-words.ts';

/** What can be done with several tasks at once; one toast, one step of undo. */
export function SelectionBar() {
  const store = useStore();
  const count = selected.value.size;
  if (count === 0) return null;
  const act = (run: (ids: readonly string[]) => void) => () => {
    if (!sayBlocked(store)) run(selectedInOrder());
  };
  return (
    <section class="selection-bar" aria-label={listWords.selectionLabel}>
      <span aria-live="polite">{listWords.selected(count)}</span>
      <span class="acts">
        <button type="button" class="btn" onClick={act((ids) => openOverlay({ kind: 'plan', ids }))}>
          {listWords.plan}
        </button>
        <button type="button" class="btn" onClick={act((ids) => openOverlay({ kind: 'move', ids }))}>
          {listWords.move}
        </button>
        <button type="button" class="btn" onClick={act((ids) => toggleDone(store, ids))}>
          {listWords.completeShort}
        </button>
        <button type="button" class="btn hide-phone" onClick={act((ids) => trashTasks(store, ids))}>
          {words.toTrash}
        </button>
        <button type="button" class="btn" aria-label={words.back} onClick={clearSelection}>
          ×
        </button>
      </span>
    </section>
  );
}
