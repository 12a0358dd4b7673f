import type { ComponentChildren } from 'preact';
import { type Choice, Marked } from './choices.tsx';

type Titled = { id: string; title: string; query: string; pick: () => void } & {
  sign: ComponentChildren;
  /** Shown before the title; not searched. */
  within?: string;
  hint?: ComponentChildren;
};

/** A choice that is searched by its title. */
export function titledChoice({ id, title, query, pick, sign, within, hint }: Titled): Choice {
  return {
    id,
    pick,
    content: (
      <>
        {sign}
        <span class="cut">
          {within !== undefined && (
            <span class="muted" dir="auto">
              {`${within} / `}
            </span>
          )}
          <Marked text={title} query={query} />
        </span>
        <span class="hint cut" dir="auto">
          {hint}
        </span>
      </>
    ),
  };
}
