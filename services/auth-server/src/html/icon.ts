import { outlines as outlinesOfApp } from '#shared/app/outlines.ts';
import { type Html, html } from '#shared/html/html.ts';

const outlines = {
  ...outlinesOfApp,
  browser: 'M3 4.5h12v9H3zM3 7.3h12M5 5.9h.01M7 5.9h.01',
  card:
    'M3.5 4.5h11A1.5 1.5 0 0 1 16 6v6a1.5 1.5 0 0 1-1.5 1.5h-11' +
    'A1.5 1.5 0 0 1 2 12V6a1.5 1.5 0 0 1 1.5-1.5zM2 7.5h14M4.5 10.5h3',
  data:
    'M3.5 4.5a5.5 2 0 1 0 11 0a5.5 2 0 1 0-11 0' +
    'M3.5 4.5v9c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2v-9M3.5 9c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2',
  person: 'M6.2 6.5a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0 -5.6 0zM3.5 15c.5-3 2.7-4.5 5.5-4.5s5 1.5 5.5 4.5',
};

export type IconName = keyof typeof outlines;

/** Decorative: the text next to it has the meaning. */
export function icon(name: IconName, size: 'small' | 'usual' = 'usual'): Html {
  const path = html`<path d="${outlines[name]}"></path>`;
  const classes = size === 'small' ? 'i s' : 'i';
  return html`<svg class="${classes}" viewBox="0 0 18 18" aria-hidden="true">${path}</svg>`;
}
