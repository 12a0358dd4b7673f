import { initialOf } from '#shared/app/initial-of.ts';
import { type Html, html } from '#shared/html/html.ts';

/** `isThere` false: the page's script loads the logo and shows it when it has arrived. */
type AppLogo = { url: string; isThere: boolean };

/** An app's logo above its initial, which remains if there is no logo. Decorative: the name is next to it. */
export function appLogo(name: string, logo: AppLogo | undefined): Html {
  const picture = logo && html`<img src="${logo.url}" alt="">`;
  const awaited = logo?.isThere === false && html` data-logo="${logo.url}"`;
  const shown = awaited ? html`<noscript>${picture}</noscript>` : picture;
  return html`<span class="app-logo" data-initial="${initialOf(name)}"${awaited}>${shown}</span>`;
}
