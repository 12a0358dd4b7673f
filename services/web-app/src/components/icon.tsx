import type { Screen } from '#shared/app/app-screens.ts';

/** Outlines on a ground of 18 × 18. */
const outlines = {
  activity: 'M2.5 9.5h3l2-5.5 3.5 10 2-4.5h2.5',
  anytime: 'M9 2.8l6.4 3.2L9 9.2 2.6 6zM3 9.2l6 3 6-3M3 12.2l6 3 6-3',
  back: 'M11 4.5L6.5 9l4.5 4.5',
  bell: 'M5 7.5a4 4 0 0 1 8 0c0 3.5 1.5 4.5 1.5 4.5h-11S5 11 5 7.5M7.5 14.5a1.6 1.6 0 0 0 3 0',
  bot: 'M9 2.5v2.5M5.5 5h7A1.5 1.5 0 0 1 14 6.5v5a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 4 11.5v-5A1.5 1.5 0 0 1 5.5 5zM7 8.5v1M11 8.5v1M2.5 8.5v2M15.5 8.5v2',
  chev: 'M7 5l4 4-4 4',
  clock: 'M9 2.8a6.2 6.2 0 1 0 0 12.4a6.2 6.2 0 1 0 0-12.4zM9 5.5V9l2.6 1.6',
  code: 'M6 5.5L2.8 9 6 12.5M12 5.5L15.2 9 12 12.5',
  flag: 'M4.5 15.5v-12M4.5 4s1-.8 2.7-.8S10 4.5 11.5 4.5s2.3-.6 2.3-.6v6s-.8.6-2.3.6S9 9.2 7.2 9.2s-2.7.8-2.7.8',
  gear: 'M6.8 9a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0zM9 2.6v2M9 13.4v2M2.6 9h2M13.4 9h2M4.5 4.5l1.4 1.4M12.1 12.1l1.4 1.4M13.5 4.5l-1.4 1.4M5.9 12.1l-1.4 1.4',
  inbox:
    'M3 10.5h3.5l1 2h3l1-2H15M3 10.5v3A1.5 1.5 0 0 0 4.5 15h9a1.5 1.5 0 0 0 1.5-1.5v-3L13 4.4A1.5 1.5 0 0 0 11.6 3.5H6.4A1.5 1.5 0 0 0 5 4.4z',
  list: 'M6.5 5h8M6.5 9h8M6.5 13h8M3.3 5h.01M3.3 9h.01M3.3 13h.01',
  lock: 'M5.5 8h7a1.5 1.5 0 0 1 1.5 1.5v4a1.5 1.5 0 0 1 -1.5 1.5h-7a1.5 1.5 0 0 1 -1.5 -1.5v-4a1.5 1.5 0 0 1 1.5 -1.5zM6 8V6a3 3 0 0 1 6 0v2',
  logbook: 'M3.2 3.5h8.3A1.5 1.5 0 0 1 13 5v10.5H4.7A1.5 1.5 0 0 1 3.2 14zM5.8 9l1.7 1.7L10.8 7M15 5.5v10',
  more: 'M3.7 9a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M8.5 9a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M13.3 9a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0',
  note: 'M4 4.5h10M4 8h10M4 11.5h6',
  plus: 'M9 3.5v11M3.5 9h11',
  repeat: 'M3.5 8A5.5 5.5 0 0 1 13 5l1.5 1.5M14.5 3v3.5H11M14.5 10A5.5 5.5 0 0 1 5 13l-1.5-1.5M3.5 15v-3.5H7',
  search: 'M3.2 8a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0 -9.6 0zM11.6 11.6L15.2 15.2',
  someday: 'M3 6.5h12v7A1.5 1.5 0 0 1 13.5 15h-9A1.5 1.5 0 0 1 3 13.5zM2.5 3.5h13v3h-13zM7.2 9.5h3.6',
  today: 'M9 2.6l1.95 4.05 4.45.6-3.25 3.1.8 4.4L9 12.6l-3.95 2.15.8-4.4L2.6 7.25l4.45-.6z',
  trash: 'M3 5h12M7 5V3.5h4V5M4.5 5l.7 9a1.5 1.5 0 0 0 1.5 1.4h4.6a1.5 1.5 0 0 0 1.5-1.4l.7-9',
  undo: 'M6 4L3 7l3 3M3 7h7a4 4 0 0 1 0 8H7',
  upcoming:
    'M4.8 3.8h8.4a2 2 0 0 1 2 2v7.4a2 2 0 0 1 -2 2h-8.4a2 2 0 0 1 -2 -2v-7.4a2 2 0 0 1 2 -2zM2.8 7.5h12.4M6 2.2v3M12 2.2v3',
  x: 'M5 5l8 8M13 5l-8 8',
  pen: 'M3.5 14.5l.7-3L11.8 3.9a1.4 1.4 0 0 1 2 0l.3.3a1.4 1.4 0 0 1 0 2L6.5 13.8zM10.4 5.3l2.3 2.3',
  up: 'M9 14.5v-11M5 7.5l4-4 4 4',
  down: 'M9 3.5v11M5 10.5l4 4 4-4',
  check: 'M3.5 9.5l3.7 3.7 7.3-7.7',
};

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
