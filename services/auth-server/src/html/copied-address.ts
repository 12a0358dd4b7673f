import { type Html, html } from './html.ts';

/** With a button that copies it, where there is script. */
export function copiedAddress(address: string): Html {
  return html`<div class="copy" data-copy="#address"><code id="address">${address}</code></div>`;
}
