import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { useStore } from '../store/store-context.ts';
import { foldText } from '../words/fold-text.ts';

export type Choice = {
  id: string;
  content: ComponentChildren;
  pick: () => void;
  /** Heading of its group; choices of a group are adjacent. */
  heading?: string;
  isDone?: boolean;
};

/** The active choice of a list that a field controls: it stays while others come, until the text changes. */
export function useChoices(choices: readonly Choice[], text: string, first: number = 0) {
  const [chosen, choose] = useState<string>();
  const store = useStore();
  const place = choices.findIndex(({ id }) => id === store.idOf(chosen ?? ''));
  const active = place >= 0 ? place : Math.min(first, choices.length - 1);
  const activeId = choices[active]?.id;
  const actions = new Map<string, () => void>([
    ['ArrowDown', () => choose(choices[(active + 1) % choices.length]?.id)],
    ['ArrowUp', () => choose(choices.at(Math.max(0, active) - 1)?.id)],
    ['Enter', () => choices[active]?.pick()],
  ]);
  useLayoutEffect(() => choose(undefined), [text]);

  function onKeyDown(event: KeyboardEvent): void {
    const act = actions.get(event.key);
    if (!act || !choices.length) return;
    event.preventDefault();
    act();
  }

  return { active, activeId, onKeyDown };
}

type ChoiceListProps = {
  id: string;
  label: string;
  choices: readonly Choice[];
  activeId: string | undefined;
};

/** The listbox of a combobox: the focus stays in the field. */
export function ChoiceList({ id, label, choices, activeId }: ChoiceListProps) {
  useEffect(() => {
    document.getElementById(`${id}-${activeId}`)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const groups = Map.groupBy(choices, ({ heading }) => heading);
  return (
    <div id={id} role="listbox" aria-label={label}>
      {[...groups].map(([heading, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox holds options and groups
        <div key={heading} class="picks" role="group" aria-label={heading}>
          {heading && (
            <div class="pick-h" aria-hidden="true">
              {heading}
            </div>
          )}
          {members.map((choice) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: its field
            <div
              key={choice.id}
              id={`${id}-${choice.id}`}
              class={choice.isDone ? 'pick is-done' : 'pick'}
              role="option"
              aria-selected={choice.id === activeId}
              onPointerDown={(event) => event.preventDefault()}
              onClick={choice.pick}
            >
              {choice.content}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The text with its first part that matches the query in bold. */
export function Marked({ text, query }: { text: string; query: string }) {
  const wanted = foldText(query);
  const at = foldText(text).indexOf(wanted);
  const start = placeOf(text, at);
  const end = at < 0 ? start : placeOf(text, at + wanted.length);
  return (
    <span dir="auto">
      {text.slice(0, start)}
      <b>{text.slice(start, end)}</b>
      {text.slice(end)}
    </span>
  );
}

/** How much of the text, with the marks of its last letter, is that long when folded. */
function placeOf(text: string, length: number): number {
  let [place, left] = [0, length];
  for (const sign of text) {
    left -= foldText(sign).length;
    if (left < 0) break;
    place += sign.length;
  }
  return place;
}
