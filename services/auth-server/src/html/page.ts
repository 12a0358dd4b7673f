import { assetUrls } from '../assets/asset-files.ts';
import type { Visitor } from '../browser/browser-session-service.ts';
import { type Html, html } from './html.ts';

export type Page = {
  /** Of the document, and its one `h1`: `body` starts below it. */
  title: string;
  body: Html;
  /** What the `h1` says where the title needs markup. */
  heading?: Html;
  /** Who is signed in: shown in the header with a sign-out form. */
  visitor?: Visitor;
  /** The current settings tab, by its path; the tabs are shown when there is one. */
  settingsTab?: string;
};

export const productName = 'Tasks';

const settingsTabs = [
  { path: '/settings', name: 'Profile' },
  { path: '/settings/api', name: 'API' },
  { path: '/settings/apps', name: 'Connected apps' },
  { path: '/settings/sessions', name: 'Sessions' },
  { path: '/settings/activity', name: 'Activity' },
];

/** The whole document. */
export function renderPage(page: Page): Html {
  const title = page.title === productName ? productName : `${page.title} · ${productName}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${assetUrls.style}">
<link rel="icon" href="${assetUrls.icon}" type="image/svg+xml">
<script type="module" src="${assetUrls.script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/"><img src="${assetUrls.icon}" alt="" width="26" height="26">${productName}</a>
${page.visitor !== undefined && whoIsSignedIn(page.visitor)}
</header>
${page.settingsTab !== undefined && tabs(page.settingsTab)}
<main id="main" tabindex="-1">
<h1>${page.heading ?? page.title}</h1>
${page.body}
</main>
</body>
</html>
`;
}

function whoIsSignedIn({ account, signOutToken }: Visitor): Html {
  const signOut =
    signOutToken === undefined
      ? html`<a href="/sign-out">Sign out</a>`
      : html`<form method="post" action="/sign-out">
<input type="hidden" name="csrf_token" value="${signOutToken}">
<button class="plain">Sign out</button>
</form>`;
  return html`<div class="visitor" data-signed-in><a href="/settings"><bdi>${account.email}</bdi></a> ${signOut}</div>`;
}

function tabs(current: string): Html {
  const links = settingsTabs.map(
    ({ path, name }) => html`<a href="${path}"${path === current && html` aria-current="page"`}>${name}</a>`,
  );
  return html`<nav class="tabs" aria-label="Settings">${links}</nav>`;
}
