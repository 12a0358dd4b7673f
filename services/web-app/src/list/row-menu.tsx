import { MenuButton } from '../menu/menu-button.tsx';
import type { MenuItem } from '../menu/menu-state.ts';
import { openOverlay } from '../overlays/overlay.ts';
import { openTask } from '../router.ts';
import type { Store } from '../store/store.ts';
import { useStore } from '../store/store-context.ts';
import { actionLabels } from '../words/key-words.ts';
import { listWords } from '../words/list-words.ts';
import { startRenaming, toggleSelected } from './list-state.ts';
import { moveRow } from './reorder.ts';
import { cancelTasks, toggleDone, trashTasks, writeBlock } from './task-actions.ts';

export function RowMenuButton({ id, title }: { id: string; title: string }) {
  const store = useStore();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a grid of rows, not a table
    // biome-ignore lint/a11y/useFocusableInteractive: the button inside takes the focus
    <span role="gridcell" class="row-menu">
      <MenuButton label={listWords.rowMenu(title)} tabIndex={-1} items={() => taskMenu(store, id)} />
    </span>
  );
}

/** Everything that a row can do by keys, gestures or dragging. */
export function taskMenu(store: Store, id: string): MenuItem[] {
  const disabledReason = writeBlock(store);
  const task = store.rows.tasks.shown.get(id);
  const ref = { entity: 'task', id } as const;
  const write = (item: Exclude<MenuItem, 'line'>): MenuItem => ({ ...item, disabledReason });
  return [
    { label: actionLabels.open, icon: 'note', keys: 'Enter', run: () => openTask(id) },
    write({ label: actionLabels.rename, icon: 'pen', keys: 'r', run: () => startRenaming(id) }),
    { label: actionLabels.select, icon: 'check', keys: 'x', run: () => toggleSelected(id) },
    'line',
    write({
      label: task?.status === 'open' ? actionLabels.complete : listWords.reopenShort,
      icon: 'check',
      keys: 'Space',
      run: () => toggleDone(store, [id]),
    }),
    write({
      label: actionLabels.cancel,
      icon: 'x',
      keys: 'Shift+Space',
      run: () => cancelTasks(store, [id]),
    }),
    'line',
    write({
      label: actionLabels.plan,
      icon: 'upcoming',
      keys: 's',
      run: () => openOverlay({ kind: 'plan', ids: [id] }),
    }),
    write({ label: actionLabels.today, icon: 'today', keys: 't', run: () => store.commands.planToday([id]) }),
    write({
      label: actionLabels.deadline,
      icon: 'flag',
      keys: 'd',
      run: () => openOverlay({ kind: 'deadline', ids: [id] }),
    }),
    write({
      label: actionLabels.repeat,
      icon: 'repeat',
      keys: 'Shift+r',
      run: () => openOverlay({ kind: 'repeat', ids: [id] }),
    }),
    write({
      label: actionLabels.move,
      icon: 'inbox',
      keys: 'm',
      run: () => openOverlay({ kind: 'move', ids: [id] }),
    }),
    write({
      label: actionLabels.moveUp,
      icon: 'up',
      keys: 'Alt+ArrowUp',
      run: () => moveRow(store, ref, -1),
    }),
    write({
      label: actionLabels.moveDown,
      icon: 'down',
      keys: 'Alt+ArrowDown',
      run: () => moveRow(store, ref, 1),
    }),
    'line',
    write({
      label: actionLabels.trash,
      icon: 'trash',
      keys: 'Backspace',
      run: () => trashTasks(store, [id]),
    }),
  ];
}
