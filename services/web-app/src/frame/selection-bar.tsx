import { Icon } from '../components/icon.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { clearSelection, selected, selectedInOrder } from '../list/list-state.ts';
import { toggleDone, trashTasks } from '../list/task-actions.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { useStore } from '../store/store-context.ts';
import { listWords } from '../words/list-words.ts';
import { screenWords as words } from '../words/screen-words.ts';

/** What can be done with several tasks at once; one toast, one step of undo. */
export function SelectionBar() {
  const store = useStore();
  const count = selected.value.size;
  if (count === 0) return null;
  const act = (run: (ids: readonly string[]) => void) => () => run(selectedInOrder());
  return (
    <section class="selection-bar" aria-label={listWords.selectionLabel}>
      <span aria-live="polite">{listWords.selected(count)}</span>
      <span class="acts">
        <WriteButton class="btn" onPress={act((ids) => openOverlay({ kind: 'plan', ids }))}>
          {listWords.plan}
        </WriteButton>
        <WriteButton class="btn" onPress={act((ids) => openOverlay({ kind: 'move', ids }))}>
          {listWords.move}
        </WriteButton>
        <WriteButton class="btn" onPress={act((ids) => toggleDone(store, ids))}>
          {listWords.completeShort}
        </WriteButton>
        <WriteButton class="btn hide-phone" onPress={act((ids) => trashTasks(store, ids))}>
          {words.toTrash}
        </WriteButton>
        <WriteButton
          class="btn"
          label={listWords.more}
          onPress={act((ids) => openOverlay({ kind: 'menu', ids }))}
        >
          <Icon name="more" small />
        </WriteButton>
        <button type="button" class="btn" aria-label={listWords.endSelection} onClick={clearSelection}>
          <Icon name="x" small />
        </button>
      </span>
    </section>
  );
}
