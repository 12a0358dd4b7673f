import type { ComponentChildren } from 'preact';
import { type Choice, Marked } from './choices.tsx';

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
