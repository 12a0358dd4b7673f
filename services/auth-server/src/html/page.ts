import type { Response } from 'express';
import { pageScriptPath } from '#shared/app/app-protocol.ts';
import { type Html, html } from '#shared/html/html.ts';
import { mark } from '#shared/html/mark.ts';
import { readTheme, type Theme } from '#shared/http/request-cookies.ts';
import { assetUrls } from '../assets/asset-files.ts';
import type { SignedInUser } from '../browser/browser-session-service.ts';
import { homePath, signOutPath } from '../sign-in/sign-in-paths.ts';
import { productName } from './text.ts';

export type Page = {
  /** Of the document, and its one `h1`: `body` starts below it. */
  title: string;
  body: Html;
  /** The `h1` where the title needs markup. */
  heading?: Html;
  /** Shown in the header with a sign-out form. */
  user?: SignedInUser;
  /** By default one card in the middle. */
  layout?: PageLayout;
};

type PageLayout =
  /** `emblem` is above the heading, `below` under the card. */
  | { kind: 'card'; isWide?: boolean; emblem?: Html; below?: Html | undefined }
  | { kind: 'settings'; navigation: Html }
  /** `body` contains the `h1`; `links` are in the header. */
  | { kind: 'front'; links: Html };

export const suspensionNotice = html`<p class="warning">Your account is suspended: it is read-only.
You can still change its second factors, revoke tokens, disconnect apps and sign browsers out.
Contact the operator of this service.</p>
`;

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/**
 * `allowsAnyFormAction`: Chromium applies form-action to all redirects that follow a form (CSP 3 §6.4.2), and
 * only the client knows where it redirects the browser.
 */
export function sendPage(
  res: Response,
  page: Page,
  { status = 200, allowsAnyFormAction = false }: { status?: number; allowsAnyFormAction?: boolean } = {},
): void {
  res
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `${policy}${allowsAnyFormAction ? '' : "; form-action 'self'"}`,
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    })
    .send(renderPage(page, readTheme(res.req)).text);
}

const oneCard: PageLayout = { kind: 'card' };

export function renderPage(
  { title, body, heading = html`${title}`, user, layout = oneCard }: Page,
  theme?: Theme,
): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<title>${title === productName ? productName : `${title} · ${productName}`}</title>
<link rel="stylesheet" href="${assetUrls.style}">
<link rel="icon" href="${assetUrls.icon}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${assetUrls.touchIcon}">
<script type="module" src="${pageScriptPath}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${user === undefined ? '/' : homePath}">${mark}${productName}</a>
${user !== undefined && signedInUser(user)}
${layout.kind === 'front' && html`<nav aria-label="Ways in">${layout.links}</nav>`}
</header>
${arrange(html`<h1>${heading}</h1>`, body, layout)}
</body>
</html>
`;
}

function arrange(heading: Html, body: Html, layout: PageLayout): Html {
  if (layout.kind === 'front') return html`<main id="main" class="front" tabindex="-1">${body}</main>`;
  if (layout.kind === 'settings') {
    return html`<div class="settings">
${layout.navigation}
<main id="main" tabindex="-1">
${heading}
${body}
</main>
</div>`;
  }
  return html`<main id="main" class="${layout.isWide ? 'centre wide' : 'centre'}" tabindex="-1">
<div class="card">
${layout.emblem}${heading}
${body}
</div>
${layout.below && html`<div class="below">${layout.below}</div>`}
</main>`;
}

function signedInUser({ account, signOutToken }: SignedInUser): Html {
  const signOut =
    signOutToken === undefined
      ? html`<a class="btn quiet" href="${signOutPath}">Sign out</a>`
      : html`<form method="post" action="${signOutPath}">
<input type="hidden" name="csrf_token" value="${signOutToken}">
<button class="btn quiet">Sign out</button>
</form>`;
  const settings = html`<a href="/settings"><bdi>${account.email}</bdi></a>`;
  return html`<div class="user" data-signed-in>${settings} ${signOut}</div>`;
}
