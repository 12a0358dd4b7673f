import { type Html, html } from './html.ts';

const ring = html`<path class="ring" d="M20.6 9.2A9.2 9.2 0 1 1 15.7 3.6"></path>`;
const tick = html`<path class="tick" d="M7.8 11.8l3.6 3.7L20.4 5"></path>`;

export const mark: Html = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">${ring}${tick}</svg>`;
