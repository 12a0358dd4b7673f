import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from '../components/icon.tsx';
import { type Choice, ChoiceList, useChoices } from '../overlays/choices.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { closeOverlay } from '../overlays/overlay.ts';

type PickerDialogProps = {
  label: string;
  icon: IconName;
  placeholder: string;
  listLabel: string;
  text: string;
  onText: (text: string) => void;
  choices: readonly Choice[];
  /** Said where no choice is left. */
  nothing: string;
  onClose?: () => void;
  children?: ComponentChildren;
};

const listId = 'picker-choices';

/** Then the focus is not shown; in the field, it would bring a keyboard that covers what can be tapped. */
function isOpenedByTouch(): boolean {
  return matchMedia('(pointer: coarse)').matches && !document.activeElement?.matches(':focus-visible');
}

/** A text field first, its choices below, further controls after them. */
export function PickerDialog(props: PickerDialogProps) {
  const { label, icon, placeholder, listLabel, text, onText, choices, nothing, children } = props;
  const { onClose = closeOverlay } = props;
  const field = useRef<HTMLInputElement>(null);
  const { active, activeId, onKeyDown } = useChoices(choices);
  const [isByTouch] = useState(isOpenedByTouch);
  useLayoutEffect(() => void (isByTouch || field.current?.focus()), []);
  return (
    <Dialog label={label} onClose={onClose} narrow>
      <div class="pick-in">
        <Icon name={icon} />
        <input
          ref={field}
          role="combobox"
          dir="auto"
          aria-label={label}
          aria-expanded={choices.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeId === undefined ? undefined : `${listId}-${activeId}`}
          autocomplete="off"
          placeholder={placeholder}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys have to reach it */}
      <div class="pal" tabIndex={0} autofocus={isByTouch}>
        <ChoiceList id={listId} label={listLabel} choices={choices} active={active} />
        <div role="status">{choices.length === 0 && <p class="none">{nothing}</p>}</div>
      </div>
      {children}
    </Dialog>
  );
}
