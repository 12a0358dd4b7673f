import { useState } from 'preact/hooks';
import { WriteButton } from '../components/write-button.tsx';
import { formatKeys } from '../keys/key-map.ts';
import { isInList } from '../list/list-state.ts';
import { canWriteOrToast } from '../list/task-actions.ts';
import { ChoiceField } from '../overlays/choice-field.tsx';
import { CloseSheet } from '../overlays/close-sheet.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { closeOverlay } from '../overlays/overlay.ts';
import { screenDefaults } from '../quick-add/screen-defaults.ts';
import { location } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { actionLabels } from '../words/key-words.ts';
import { paletteWords as words } from '../words/palette-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { commandTargets } from './palette-commands.ts';
import { useResults } from './use-results.tsx';

/** Searches tasks, lists and commands; text that is not found can be added as a task. */
export function Palette({ text: initial = '' }: { text?: string }) {
  const store = useStore();
  const [text, setText] = useState(initial);
  const query = text.trim();
  // Read once, because the dialog takes the focus from the row.
  const [isFromRow] = useState(isInList);
  // Others may change what is listed, and the cursor its row.
  const [targets] = useState(() => commandTargets(store));
  const { choices, isMore, isSearching } = useResults(query, isFromRow, targets);

  function addAsTask(): void {
    if (query === '' || !canWriteOrToast(store)) return;
    const { place, dueDate, isSomeday } = screenDefaults(store, location.value.route, null);
    store.commands.addTask({ title: query, dueDate, ...place, ...(isSomeday && { list: 'someday' }) });
    closeOverlay();
  }

  return (
    <Dialog label={actionLabels.palette} onClose={closeOverlay}>
      <ChoiceField
        icon="search"
        label={actionLabels.palette}
        placeholder={screenWords.searchOrDo}
        listLabel={words.results}
        text={text}
        onText={setText}
        choices={choices}
        more={isMore && words.more}
        nothing={isSearching ? words.searching : words.nothing(query)}
        nothingHint={!isSearching && <span class="hide-phone">{words.addsIt(formatKeys('Mod+Enter'))}</span>}
        onCommandEnter={addAsTask}
        hint={<kbd>esc</kbd>}
      />
      <div class="foot">
        <span class="grow keys">
          <span>
            <kbd>↑</kbd>
            <kbd>↓</kbd> {words.choose}
          </span>
          <span>
            <kbd>↵</kbd> {words.open}
          </span>
        </span>
        {query !== '' && (
          <WriteButton class="btn text cut" onPress={addAsTask}>
            <kbd>{formatKeys('Mod+Enter')}</kbd>{' '}
            <span class="cut" dir="auto">
              {words.addAsTask(query)}
            </span>
          </WriteButton>
        )}
      </div>
      <CloseSheet />
    </Dialog>
  );
}
