import type { Response } from 'express';
import { appPath } from '#shared/app/app-protocol.ts';
import { assetUrls } from '../assets/asset-files.ts';
import type { SignedInUser } from '../browser/browser-session-service.ts';
import { type Html, html } from './html.ts';

export type Page = {
  /** Of the document, and its one `h1`: `body` starts below it. */
  title: string;
  body: Html;
  /** The `h1` where the title needs markup. */
  heading?: Html;
  /** Shown in the header with a sign-out form. */
  user?: SignedInUser;
  /** Below the header. */
  navigation?: Html;
};

export const productName = 'Tasks';

export const suspensionNotice = html`<p class="warning">Your account is suspended: everything can be read, nothing changed.
You can still revoke tokens, disconnect apps and sign browsers out. Ask whoever runs this service.</p>
`;

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * `formsLeadAnywhere`: Chromium applies form-action to all redirects that follow a form (CSP 3 §6.4.2), and only the
 * client knows where it redirects the browser.
 */
export function sendPage(
  res: Response,
  page: Page,
  { status = 200, formsLeadAnywhere = false }: { status?: number; formsLeadAnywhere?: boolean } = {},
): void {
  res
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': formsLeadAnywhere ? policy : `${policy}; form-action 'self'`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    })
    .send(renderPage(page).text);
}

/** The whole document. */
export function renderPage({ title, body, heading = html`${title}`, user, navigation }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === productName ? productName : `${title} · ${productName}`}</title>
<link rel="stylesheet" href="${assetUrls.style}">
<link rel="icon" href="${assetUrls.icon}" type="image/svg+xml">
<script type="module" src="${assetUrls.script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="${user === undefined ? '/' : `${appPath}/`}"><img src="${assetUrls.icon}" alt="" width="26" height="26">${productName}</a>
${user !== undefined && signedInUser(user)}
</header>
${navigation}
<main id="main" tabindex="-1">
<h1>${heading}</h1>
${body}
</main>
</body>
</html>
`;
}

function signedInUser({ account, signOutToken }: SignedInUser): Html {
  const signOut =
    signOutToken === undefined
      ? html`<a href="/sign-out">Sign out</a>`
      : html`<form method="post" action="/sign-out">
<input type="hidden" name="csrf_token" value="${signOutToken}">
<button class="plain">Sign out</button>
</form>`;
  return html`<div class="user" data-signed-in><a href="/settings"><bdi>${account.email}</bdi></a> ${signOut}</div>`;
}
