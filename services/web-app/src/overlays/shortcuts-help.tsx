import { singleKeysOn } from '../keys/key-events.ts';
import { type ActionName, keyCaps, keyGroups } from '../keys/key-map.ts';
import { actionLabels } from '../words/key-words.ts';
import { shortcutsWords as words } from '../words/shortcuts-words.ts';
import { closeOverlay } from './overlay.ts';
import { TitledDialog } from './titled-dialog.tsx';

const groupNames = Object.keys(keyGroups) as (keyof typeof keyGroups)[];

export function ShortcutsHelp() {
  return (
    <TitledDialog label={actionLabels.keys} onClose={closeOverlay} hasClose>
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
      {groupNames.map((name) => (
        <table key={name} class="keys-table">
          <caption>{words.groups[name]}</caption>
          <tbody>
            {Object.entries<readonly string[]>(keyGroups[name]).map(([action, all]) => (
              <tr key={action}>
                <th scope="row">{actionLabels[action as ActionName]}</th>
                <td>
                  {all.map((keys, index) => (
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
    </TitledDialog>
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
