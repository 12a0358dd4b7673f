import type { IconName } from '../components/icon.tsx';
import { type ActionName, firstKeysOf } from '../keys/key-map.ts';
import type { MenuItem } from '../menu/menu-state.ts';
import { openTask } from '../router.ts';
import type { Store } from '../store/store.ts';
import { actionLabels } from '../words/key-words.ts';
import { selectionWords } from '../words/selection-words.ts';
import { renaming, toggleSelected, withSelected } from './list-state.ts';
import { moveRow } from './reorder.ts';
import { repeats, type TaskActionName, taskActions, writeBlock } from './task-actions.ts';

/** Actions on the task of a row: each gesture and drag has an item or a picker here (WCAG 2.5.7). */
export function taskMenu(store: Store, id: string): MenuItem[] {
  const disabledReason = writeBlock(store);
  const task = store.rows.tasks.shown.get(id);
  const ref = { entity: 'task', id } as const;
  const ids = withSelected(id);
  const item = (action: ActionName, icon: IconName, run: () => void) => ({
    label: actionLabels[action],
    icon,
    keys: firstKeysOf(action),
    run,
  });
  const write = (...parts: Parameters<typeof item>) => ({ ...item(...parts), disabledReason });
  const act = (action: TaskActionName) => {
    const { icon, run } = taskActions[action];
    return write(action, icon, () => run(store, ids));
  };
  return [
    item('open', 'note', () => openTask(id)),
    write('rename', 'pen', () => {
      renaming.value = id;
    }),
    item('select', 'check', () => toggleSelected(id)),
    'line',
    task?.status === 'open' ? act('complete') : { ...act('complete'), label: selectionWords.reopen },
    ...(task !== undefined && repeats(task) ? [act('skip')] : []),
    act('cancel'),
    'line',
    act('plan'),
    act('today'),
    act('deadline'),
    act('repeat'),
    act('move'),
    write('moveUp', 'up', () => moveRow(store, ref, -1)),
    write('moveDown', 'down', () => moveRow(store, ref, 1)),
    'line',
    act('trash'),
  ];
}
