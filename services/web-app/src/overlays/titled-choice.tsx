import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../components/icon.tsx';
import { type Choice, Marked } from './choices.tsx';

/** Typed text is matched with the start of `label`. */
export type LabelledChoice = Choice & { label: string };

export function choice(
  id: string,
  icon: IconName,
  label: string,
  pick: () => void,
  hint = '',
): LabelledChoice {
  return {
    id,
    label,
    pick,
    content: (
      <>
        <Icon name={icon} />
        <span>{label}</span>
        <span class="hint">{hint}</span>
      </>
    ),
  };
}

type Titled = { id: string; title: string; query: string; pick: () => void } & {
  sign: ComponentChildren;
  hint?: ComponentChildren;
};

/** A choice that is searched by its title. */
export function titledChoice({ id, title, query, pick, sign, hint }: Titled): Choice {
  return {
    id,
    pick,
    content: (
      <>
        {sign}
        <span class="cut">
          <Marked text={title} query={query} />
        </span>
        <span class="hint cut" dir="auto">
          {hint}
        </span>
      </>
    ),
  };
}
