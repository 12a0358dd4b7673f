import type { IconName } from '../components/icon.tsx';
import { type ActionName, firstKeysOf } from '../keys/key-map.ts';
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

/** Actions on the task of a row: each gesture and drag has an item or a picker here (WCAG 2.5.7). */
export function taskMenu(store: Store, id: string): MenuItem[] {
  const disabledReason = writeBlock(store);
  const task = store.rows.tasks.shown.get(id);
  const ref = { entity: 'task', id } as const;
  const ids = [id];
  const item = (action: ActionName, icon: IconName, run: () => void) => {
    const keys = firstKeysOf(action);
    return { label: actionLabels[action], icon, ...(keys !== undefined && { keys }), run };
  };
  const write = (...parts: Parameters<typeof item>) => ({ ...item(...parts), disabledReason });
  const pick = (kind: 'plan' | 'deadline' | 'repeat' | 'move') => () => openOverlay({ kind, ids });
  const complete = write('complete', 'check', () => toggleDone(store, ids));
  return [
    item('open', 'note', () => openTask(id)),
    write('rename', 'pen', () => startRenaming(id)),
    item('select', 'check', () => toggleSelected(id)),
    'line',
    task?.status === 'open' ? complete : { ...complete, label: listWords.reopenShort },
    write('cancel', 'x', () => cancelTasks(store, ids)),
    'line',
    write('plan', 'upcoming', pick('plan')),
    write('today', 'today', () => store.commands.planToday(ids)),
    write('deadline', 'flag', pick('deadline')),
    write('repeat', 'repeat', pick('repeat')),
    write('move', 'list', pick('move')),
    write('moveUp', 'up', () => moveRow(store, ref, -1)),
    write('moveDown', 'down', () => moveRow(store, ref, 1)),
    'line',
    write('trash', 'trash', () => trashTasks(store, ids)),
  ];
}
