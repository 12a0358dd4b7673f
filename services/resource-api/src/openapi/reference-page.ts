/**
 * Nothing from another host, no script in the page itself, no frame around it, and no form that could carry a token
 * away.
 */
export const referencePagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page at `docs`; its assets are found relative to it, below `assetsPath`. */
export function referencePage(assetsPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Task Management API: reference</title>
<link rel="icon" type="image/png" sizes="32x32" href="${assetsPath}/favicon-32x32.png">
<link rel="icon" type="image/png" sizes="16x16" href="${assetsPath}/favicon-16x16.png">
<link rel="stylesheet" href="${assetsPath}/swagger-ui.css">
<link rel="stylesheet" href="${assetsPath}/reference.css">
<script defer src="${assetsPath}/swagger-ui-bundle.js"></script>
<script type="module" src="${assetsPath}/reference.js"></script>
</head>
<body>
<header class="intro">
<h1>Task Management API</h1>
<p>To try an operation, press <strong>Authorize</strong> and paste a personal token, which you make in
<a href="/settings/api">Settings</a>. This page forgets it when you leave.</p>
<p><a href="openapi.json">openapi.json</a> is the same for programs.</p>
</header>
<main id="reference"><p class="loading">Loading the reference…</p></main>
<noscript><p class="intro">The reference needs JavaScript; <a href="openapi.json">openapi.json</a> does not.</p></noscript>
</body>
</html>
`;
}
