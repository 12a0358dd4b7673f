import { initialOf } from '#shared/app/initial-of.ts';
import { type Html, html } from '#shared/html/html.ts';

/** `isThere`: else the page’s script asks for it, and shows it once it has come. */
type AppLogo = { url: string; isThere: boolean };

/** An app's logo above its initial, which remains where there is none. It says no more than the name beside it. */
export function appLogo(name: string, logo: AppLogo | undefined): Html {
  const picture = logo && html`<img src="${logo.url}" alt="">`;
  const awaited = logo?.isThere === false && html` data-logo="${logo.url}"`;
  return html`<span class="app-logo" data-initial="${initialOf(name)}"${awaited}>${awaited ? html`<noscript>${picture}</noscript>` : picture}</span>`;
}
