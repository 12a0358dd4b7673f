import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { formatKeys } from '../keys/key-map.ts';
import { ChoiceList, useChoices } from '../overlays/choices.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { closeOverlay } from '../overlays/overlay.ts';
import { screenDefaults } from '../quick-add/screen-defaults.ts';
import { location } from '../router.ts';
import { useStore } from '../store/store-context.ts';
import { paletteWords as words } from '../words/palette-words.ts';
import { useResults } from './use-results.tsx';

const listId = 'palette-results';

/** One field for everything: tasks, lists, commands; what is not found can be added. */
export function Palette({ text: initial }: { text: string }) {
  const store = useStore();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(initial);
  const query = text.trim();
  const { choices, isSearching } = useResults(query);
  const { active, activeId, onKeyDown } = useChoices(choices);
  useLayoutEffect(() => field.current?.focus(), []);

  function addAsTask(): void {
    if (query === '') return;
    const { place, dueDate } = screenDefaults(store, location.value.route, null);
    store.commands.addTask({ title: query, dueDate, ...place });
    closeOverlay();
  }

  return (
    <Dialog label={words.label} onClose={closeOverlay}>
      <div class="pick-in">
        <Icon name="search" />
        <input
          ref={field}
          role="combobox"
          dir="auto"
          type="text"
          aria-label={words.label}
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeId === undefined ? undefined : `${listId}-${activeId}`}
          autocomplete="off"
          enterkeyhint="go"
          placeholder={words.placeholder}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) addAsTask();
            else onKeyDown(event);
          }}
        />
        <kbd>esc</kbd>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys have to reach it */}
      <div class="pal" tabIndex={0}>
        <ChoiceList id={listId} label={words.results} choices={choices} active={active} />
        <div role="status">
          {choices.length === 0 && (
            <p class="none">
              {isSearching ? words.searching : words.nothing(query)}
              {!isSearching && <span class="hide-phone">{words.addsIt(formatKeys('Mod+Enter'))}</span>}
            </p>
          )}
        </div>
      </div>
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
          <button type="button" class="btn text cut" dir="auto" onClick={addAsTask}>
            <kbd>{formatKeys('Mod+Enter')}</kbd> {words.addAsTask(query)}
          </button>
        )}
      </div>
    </Dialog>
  );
}
