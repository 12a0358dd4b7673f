import { useLayoutEffect } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { cursor, endSelection, rowElement, selected, selectedInOrder } from '../list/list-state.ts';
import { selectionMenu } from '../list/row-menu.ts';
import { type TaskActionName, taskActions } from '../list/task-actions.ts';
import { announce } from '../live/announce.tsx';
import { MenuButton } from '../menu/menu-button.tsx';
import { useStore } from '../store/store-context.ts';
import { actionLabels } from '../words/key-words.ts';
import { selectionWords as words } from '../words/selection-words.ts';
import { isNarrow } from './layout.ts';

/** Actions on the selected tasks; each is one toast and one step of undo. */
export function SelectionBar() {
  const store = useStore();
  const count = selected.value.size;
  // Keeps the last selected row visible above the bar.
  useLayoutEffect(() => {
    if (count === 0) return;
    rowElement(document, cursor.value)?.scrollIntoView({ block: 'nearest' });
    announce(words.selected(count));
  }, [count]);
  if (count === 0) return null;
  const act = (name: TaskActionName) => () => taskActions[name].run(store, selectedInOrder());
  return (
    <section class="selection-bar" aria-label={words.label}>
      <span>{words.selected(count)}</span>
      <span class="acts">
        <WriteButton class="btn" text={actionLabels.plan} onPress={act('plan')} />
        <WriteButton class="btn" text={words.move} onPress={act('move')} />
        <WriteButton class="btn" text={actionLabels.complete} onPress={act('complete')} />
        <WriteButton
          class="btn hide-phone"
          text={words.trash}
          label={actionLabels.trash}
          onPress={act('trash')}
        />
        <MenuButton
          class="btn"
          label={words.more}
          items={() => selectionMenu(store, selectedInOrder(), !isNarrow.value)}
        />
        <button type="button" class="btn" aria-label={words.end} onClick={endSelection}>
          <Icon name="x" small />
        </button>
      </span>
    </section>
  );
}
