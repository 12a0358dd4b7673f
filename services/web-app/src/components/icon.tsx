import type { Screen } from '#shared/app/app-screens.ts';
import { outlines } from '#shared/app/outlines.ts';

export type IconName = keyof typeof outlines;

export function iconOf(screen: Screen): IconName {
  return screen === 'assistants' ? 'bot' : screen === 'lists' ? 'list' : screen;
}

/** Robot, script or operator; a person has a letter where there is room. */
export const actorIcons = { app: 'bot', token: 'code', operator: 'gear', browser: 'bot' } as const;

/** Decorative: the text next to it has the meaning. */
export function Icon({ name, small }: { name: IconName; small?: boolean }) {
  return (
    <svg class={small ? 'i s' : 'i'} viewBox="0 0 18 18" aria-hidden="true">
      <path d={outlines[name]} />
    </svg>
  );
}
