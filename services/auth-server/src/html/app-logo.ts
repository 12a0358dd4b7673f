import { type Html, html } from './html.ts';

/** An app's logo above its initial, which remains where there is none. It says no more than the name beside it. */
export function appLogo(name: string, logoUrl: string | undefined): Html {
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase();
  const picture = logoUrl !== undefined && html`<img src="${logoUrl}" alt="">`;
  return html`<span class="app-logo" data-initial="${initial ?? '?'}">${picture}</span>`;
}
