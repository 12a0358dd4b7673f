import { Icon, type IconName } from '../components/icon.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { type ActionName, firstKeysOf, formatKeys } from '../keys/key-map.ts';
import { cancelTasks, toggleDone, trashTasks } from '../list/task-actions.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { closeOverlay, openOverlay } from '../overlays/overlay.ts';
import { useTargets } from '../pickers/use-targets.ts';
import { hrefOf } from '../router.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { actionLabels } from '../words/key-words.ts';
import { listWords } from '../words/list-words.ts';

export function TaskMenu({ task }: { task: TaskRow }) {
  return (
    <button
      type="button"
      class="icon-btn"
      aria-label={words.more}
      aria-haspopup="dialog"
      onClick={() => openOverlay({ kind: 'menu', ids: [task.id] })}
    >
      <Icon name="more" />
    </button>
  );
}

/** Actions on the open task or on the selected ones, as buttons. */
export function TaskMenuDialog({ ids: asked }: { ids: readonly string[] }) {
  const store = useStore();
  const { commands } = store;
  const { ids, first } = useTargets(asked);
  if (first === undefined) return null;
  const pick = (kind: 'plan' | 'move' | 'deadline' | 'repeat') => () => openOverlay({ kind, ids });
  const act = (command: (ids: readonly string[]) => void) => () => {
    command(ids);
    closeOverlay();
  };
  const copyLink = () => {
    const link = new URL(hrefOf({ screen: 'task', id: first.id }), window.location.href);
    navigator.clipboard.writeText(link.href).then(closeOverlay, closeOverlay);
  };
  const entries: [IconName, ActionName, () => void][] = [
    ['upcoming', 'plan', pick('plan')],
    ['today', 'today', act(commands.planToday)],
    ['list', 'move', pick('move')],
    ['flag', 'deadline', pick('deadline')],
    ['repeat', 'repeat', pick('repeat')],
    ['someday', 'someday', act(commands.someday)],
    ['x', 'noDate', act(commands.noDate)],
  ];
  const closing: [IconName, ActionName, () => void][] = [
    ['check', 'complete', act((present) => toggleDone(store, present))],
    ['x', 'cancel', act((present) => cancelTasks(store, present))],
  ];
  return (
    <Dialog
      label={ids.length > 1 ? listWords.selected(ids.length) : first.title}
      onClose={closeOverlay}
      narrow
    >
      <div class="menu-sheet">
        {[...entries, ...(first.status === 'open' ? closing : [])].map(([icon, action, run]) => (
          <MenuButton key={action} icon={icon} label={actionLabels[action]} action={action} onPress={run} />
        ))}
        {ids.length === 1 && (
          <button type="button" class="pick" onClick={copyLink}>
            <Icon name="note" />
            {words.copyLink}
          </button>
        )}
        {first.inTrash ? (
          <MenuButton icon="undo" label={words.restore} onPress={act(commands.restore)} />
        ) : (
          <MenuButton
            icon="trash"
            label={words.trash}
            action="trash"
            onPress={act((present) => trashTasks(store, present))}
          />
        )}
      </div>
    </Dialog>
  );
}

type MenuButtonProps = { icon: IconName; label: string; action?: ActionName; onPress: () => void };

function MenuButton({ icon, label, action, onPress }: MenuButtonProps) {
  const keys = action && firstKeysOf(action);
  return (
    <WriteButton class="pick" onPress={onPress}>
      <Icon name={icon} />
      {label}
      {keys !== undefined && (
        <span class="hint">
          <kbd>{formatKeys(keys)}</kbd>
        </span>
      )}
    </WriteButton>
  );
}
