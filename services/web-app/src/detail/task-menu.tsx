import { Icon, type IconName } from '../components/icon.tsx';
import { WriteButton } from '../components/write-button.tsx';
import { type ActionName, firstKeysOf, formatKeys } from '../keys/key-map.ts';
import { repeats, type TaskActionName, taskActions } from '../list/task-actions.ts';
import { pressInSheet } from '../menu/menu.tsx';
import { CloseSheet } from '../overlays/close-sheet.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { closeOverlay, openOverlay } from '../overlays/overlay.ts';
import { useTargets } from '../pickers/use-targets.ts';
import { hrefOf } from '../router.ts';
import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { dialogWords } from '../words/dialog-words.ts';
import { actionLabels } from '../words/key-words.ts';
import { selectionWords } from '../words/selection-words.ts';

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

const always: readonly TaskActionName[] = [
  'plan',
  'today',
  'move',
  'deadline',
  'repeat',
  'someday',
  'noDate',
];
const openOnly: readonly TaskActionName[] = ['complete', 'skip', 'cancel'];

/** Actions on the open task or on the selected ones, as buttons. */
export function TaskMenuDialog({ ids: asked }: { ids: readonly string[] }) {
  const store = useStore();
  const { ids, first } = useTargets(asked);
  if (first === undefined) return null;
  const act = (run: () => void) => () => {
    closeOverlay();
    run();
  };
  const copyLink = () => {
    const link = new URL(hrefOf({ screen: 'task', id: first.id }), window.location.href);
    const say = (text: string) => () => {
      closeOverlay();
      store.notices.toast(text);
    };
    navigator.clipboard
      .writeText(link.href)
      .then(say(dialogWords.linkCopied), say(dialogWords.linkNotCopied));
  };
  const actions = openOnly.filter((action) => action !== 'skip' || repeats(first));
  const ofStatus = first.status === 'open' ? [...always, ...actions] : always;
  const shown = first.inTrash ? [] : ofStatus;
  const button = (action: TaskActionName) => {
    const { icon, run } = taskActions[action];
    const press = act(() => run(store, ids));
    return (
      <ActionButton key={action} icon={icon} label={actionLabels[action]} action={action} onPress={press} />
    );
  };
  return (
    <Dialog
      label={ids.length > 1 ? selectionWords.selected(ids.length) : first.title}
      onClose={closeOverlay}
      narrow
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are for the buttons inside */}
      <div class="menu-sheet" onKeyDown={pressInSheet}>
        {shown.map(button)}
        {ids.length === 1 && !first.inTrash && (
          <button type="button" class="pick" onClick={copyLink}>
            <Icon name="note" />
            {words.copyLink}
          </button>
        )}
        {first.inTrash ? (
          <ActionButton icon="undo" label={words.restore} onPress={act(() => store.commands.restore(ids))} />
        ) : (
          button('trash')
        )}
      </div>
      <CloseSheet />
    </Dialog>
  );
}

type ActionButtonProps = { icon: IconName; label: string; action?: ActionName; onPress: () => void };

function ActionButton({ icon, label, action, onPress }: ActionButtonProps) {
  return (
    <WriteButton class="pick" onPress={onPress}>
      <Icon name={icon} />
      {label}
      {action !== undefined && (
        <span class="hint">
          <kbd>{formatKeys(firstKeysOf(action))}</kbd>
        </span>
      )}
    </WriteButton>
  );
}
