import { type Html, html } from './html.ts';

/** With a button that copies it, where there is script. A narrow page breaks it before its path. */
export function copiedAddress(address: URL): Html {
  return html`<div class="copy" data-copy="#address"><code id="address">${address.origin}<wbr>${address.pathname}</code></div>`;
}
