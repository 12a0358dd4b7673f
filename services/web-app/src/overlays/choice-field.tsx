import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../components/icon.tsx';
import { AnnouncedAfterPause } from '../live/announced-after-pause.tsx';
import { pickerWords as words } from '../words/picker-words.ts';
import { type Choice, ChoiceList, useChoices } from './choices.tsx';

type ChoiceFieldProps = {
  icon: IconName;
  label: string;
  placeholder: string;
  listLabel: string;
  text: string;
  onText: (text: string) => void;
  choices: readonly Choice[];
  /** Announced if no choice matches. */
  nothing: string;
  nothingHint?: ComponentChildren;
  /** Said below choices that are not all. */
  more?: string | false;
  /** ↵ with ⌘ or Ctrl. */
  onCommandEnter?: () => void;
  /** Focuses the choices instead of the field, whose on-screen keyboard would cover them. */
  isByTouch?: boolean;
  hint?: ComponentChildren;
};

const listId = 'field-choices';

/** A text field with matching choices below it (ARIA combobox). Gets the focus if first in its dialog. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { label, listLabel, text, onText, choices, more = false, onCommandEnter, isByTouch = false } = props;
  const { activeId, onKeyDown } = useChoices(choices, text);
  const count = choices.length;
  const said = more ? `${words.choices(count)}. ${more}` : words.choices(count);
  return (
    <>
      <div class="pick-in">
        <Icon name={props.icon} />
        <input
          role="combobox"
          dir="auto"
          type="text"
          aria-label={label}
          aria-expanded={count > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeId === undefined ? undefined : `${listId}-${activeId}`}
          autocomplete="off"
          enterkeyhint="go"
          placeholder={props.placeholder}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
          onKeyDown={(event) => {
            const isCommand = event.key === 'Enter' && (event.metaKey || event.ctrlKey);
            if (isCommand && onCommandEnter !== undefined) onCommandEnter();
            else onKeyDown(event);
          }}
        />
        {props.hint}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys have to reach it */}
      <div class="pal" tabIndex={0} autofocus={isByTouch}>
        <ChoiceList id={listId} label={listLabel} choices={choices} activeId={activeId} />
        {count === 0 && (
          <p class="none">
            {props.nothing}
            {props.nothingHint}
          </p>
        )}
        {more && <p class="none">{more}</p>}
      </div>
      <AnnouncedAfterPause text={text === '' ? '' : count === 0 ? props.nothing : said} />
    </>
  );
}
