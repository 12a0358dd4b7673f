import { type Html, html } from '#shared/html/html.ts';

/** Outlines on a ground of 18 × 18, as in the app. */
const outlines = {
  activity: 'M2.5 9.5h3l2-5.5 3.5 10 2-4.5h2.5',
  back: 'M11 4.5L6.5 9l4.5 4.5',
  bell: 'M5 7.5a4 4 0 0 1 8 0c0 3.5 1.5 4.5 1.5 4.5h-11S5 11 5 7.5M7.5 14.5a1.6 1.6 0 0 0 3 0',
  bot: 'M9 2.5v2.5M5.5 5h7A1.5 1.5 0 0 1 14 6.5v5a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 4 11.5v-5A1.5 1.5 0 0 1 5.5 5zM7 8.5v1M11 8.5v1M2.5 8.5v2M15.5 8.5v2',
  browser: 'M3 4.5h12v9H3zM3 7.3h12M5 5.9h.01M7 5.9h.01',
  card: 'M3.5 4.5h11A1.5 1.5 0 0 1 16 6v6a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 2 12V6a1.5 1.5 0 0 1 1.5-1.5zM2 7.5h14M4.5 10.5h3',
  check: 'M4 9.5l3.2 3.2 6.8-7.2',
  code: 'M6 5.5L2.8 9 6 12.5M12 5.5L15.2 9 12 12.5',
  data: 'M3.5 4.5a5.5 2 0 1 0 11 0a5.5 2 0 1 0-11 0M3.5 4.5v9c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2v-9M3.5 9c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2',
  flag: 'M4.5 15.5v-12M4.5 4s1-.8 2.7-.8S10 4.5 11.5 4.5s2.3-.6 2.3-.6v6s-.8.6-2.3.6S9 9.2 7.2 9.2s-2.7.8-2.7.8',
  list: 'M6.5 5h8M6.5 9h8M6.5 13h8M3.3 5h.01M3.3 9h.01M3.3 13h.01',
  lock: 'M5.5 8h7a1.5 1.5 0 0 1 1.5 1.5v4a1.5 1.5 0 0 1 -1.5 1.5h-7a1.5 1.5 0 0 1 -1.5 -1.5v-4a1.5 1.5 0 0 1 1.5 -1.5zM6 8V6a3 3 0 0 1 6 0v2',
  person: 'M6.2 6.5a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0 -5.6 0zM3.5 15c.5-3 2.7-4.5 5.5-4.5s5 1.5 5.5 4.5',
  repeat: 'M3.5 8A5.5 5.5 0 0 1 13 5l1.5 1.5M14.5 3v3.5H11M14.5 10A5.5 5.5 0 0 1 5 13l-1.5-1.5M3.5 15v-3.5H7',
};

export type IconName = keyof typeof outlines;

/** Decorative: the text next to it has the meaning. */
export function icon(name: IconName, size: 'small' | 'usual' = 'usual'): Html {
  return html`<svg class="${size === 'small' ? 'i s' : 'i'}" viewBox="0 0 18 18" aria-hidden="true"><path d="${outlines[name]}"></path></svg>`;
}
