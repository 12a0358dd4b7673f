import { Icon } from '../components/icon.tsx';
import { singleKeysOn } from '../keys/key-events.ts';
import { type ActionName, keyCaps, keyMap } from '../keys/key-map.ts';
import { actionLabels } from '../words/key-words.ts';
import { shortcutsWords as words } from '../words/shortcuts-words.ts';
import { Dialog } from './dialog.tsx';
import { closeOverlay } from './overlay.ts';

const keyGroups: readonly { name: keyof typeof words.groups; actions: readonly ActionName[] }[] = [
  { name: 'everywhere', actions: ['add', 'addBelow', 'palette', 'undo', 'sidebar', 'keys'] },
  {
    name: 'tasks',
    actions: [
      ...(['open', 'rename', 'editNotes', 'complete', 'skip', 'cancel'] as const),
      ...(['plan', 'today', 'someday', 'noDate'] as const),
      ...([
        'dayLater',
        'dayEarlier',
        'weekLater',
        'weekEarlier',
        'deadline',
        'repeat',
        'move',
        'trash',
      ] as const),
    ],
  },
  {
    name: 'lists',
    actions: [
      ...(['next', 'previous', 'first', 'last', 'moveUp', 'moveDown', 'moveTop', 'select'] as const),
      ...(['extendUp', 'extendDown', 'selectAll', 'close'] as const),
    ],
  },
  {
    name: 'go',
    actions: [
      ...(['goToday', 'goUpcoming', 'goInbox', 'goAnytime', 'goSomeday', 'goLogbook'] as const),
      ...(['goTrash', 'goActivity', 'goAssistants'] as const),
    ],
  },
];

/** All keys, with the switch for those that are one letter. */
export function ShortcutsHelp() {
  return (
    <Dialog label={words.label} onClose={closeOverlay}>
      <div class="sheet-head">
        <h2>{words.label}</h2>
        <button type="button" class="icon-btn" aria-label={words.close} onClick={closeOverlay}>
          <Icon name="x" />
        </button>
      </div>
      <div class="sheet-body">
        <label class="switch-row">
          <input
            type="checkbox"
            checked={singleKeysOn.value}
            onChange={(event) => {
              singleKeysOn.value = event.currentTarget.checked;
            }}
          />
          {words.singleKeys}
        </label>
        {keyGroups.map(({ name, actions }) => (
          <table key={name} class="keys-table">
            <caption>{words.groups[name]}</caption>
            <tbody>
              {actions.map((action) => (
                <tr key={action}>
                  <th scope="row">{actionLabels[action]}</th>
                  <td>
                    {(keyMap.get(action) ?? []).map((keys, index) => (
                      <span key={keys}>
                        {index > 0 && ` ${words.or} `}
                        <Keys keys={keys} />
                      </span>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </Dialog>
  );
}

function Keys({ keys }: { keys: string }) {
  return (
    <>
      {keyCaps(keys).map((caps, index) => (
        <span key={caps.join('+')}>
          {index > 0 && ` ${words.after} `}
          {caps.map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </span>
      ))}
    </>
  );
}
