import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

export type Choice = {
  id: string;
  content: ComponentChildren;
  pick: () => void;
  /** Heading of its group; choices of a group are adjacent. */
  heading?: string;
  isDone?: boolean;
};

/** The active choice of a list that is controlled by a text field. */
export function useChoices(choices: readonly Choice[], first: number = 0) {
  const [active, setActive] = useState(first);
  const last = choices.length - 1;
  const shown = Math.min(active, last);
  const ids = choices.map((choice) => choice.id).join('\n');
  const actions = new Map<string, () => void>([
    ['ArrowDown', () => setActive(shown >= last ? 0 : shown + 1)],
    ['ArrowUp', () => setActive(shown <= 0 ? last : shown - 1)],
    ['Enter', () => choices[shown]?.pick()],
  ]);
  // The choices changed: resets before the next key.
  useLayoutEffect(() => setActive(first), [ids, first]);

  function onKeyDown(event: KeyboardEvent): void {
    const act = actions.get(event.key);
    if (act === undefined || last < 0) return;
    event.preventDefault();
    act();
  }

  return { active: shown, activeId: choices[shown]?.id, onKeyDown };
}

type ChoiceListProps = { id: string; label: string; choices: readonly Choice[]; active: number };

/** The listbox of a combobox: the focus stays in the field. */
export function ChoiceList({ id, label, choices, active }: ChoiceListProps) {
  const activeId = choices[active]?.id;
  useEffect(() => {
    if (activeId !== undefined)
      document.getElementById(`${id}-${activeId}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, activeId]);
  const groups = Map.groupBy(choices, ({ heading }) => heading);
  return (
    <div id={id} role="listbox" aria-label={label}>
      {[...groups].map(([heading, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox holds options and groups
        <div key={heading} class="picks" role="group" aria-label={heading}>
          {heading !== undefined && (
            <div class="pick-h" aria-hidden="true">
              {heading}
            </div>
          )}
          {members.map((choice) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field steers it
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

/** The text with its parts that match the query in bold. */
export function Marked({ text, query }: { text: string; query: string }) {
  const at = query === '' ? -1 : text.toLowerCase().indexOf(query.toLowerCase());
  if (at < 0) return <span dir="auto">{text}</span>;
  return (
    <span dir="auto">
      {text.slice(0, at)}
      <b>{text.slice(at, at + query.length)}</b>
      {text.slice(at + query.length)}
    </span>
  );
}
