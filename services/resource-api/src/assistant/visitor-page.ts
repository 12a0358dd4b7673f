import type { Request, Response } from 'express';
import { appPath } from '#shared/app/app-protocol.ts';
import { assistantWays, isThisDevice, type StepPart, thisDeviceWarning } from '#shared/app/assistant-ways.ts';
import { assistantPath } from '#shared/http/protected-resource-urls.ts';

const mark =
  '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path class="ring" d="M20.6 9.2A9.2 9.2 0 1 1 15.7 3.6"></path><path class="tick" d="M7.8 11.8l3.6 3.7L20.4 5"></path></svg>';

/** A person who opened the address in a browser, and no client of the protocol: those ask for an event stream. */
export function isVisitor({ headers }: Request): boolean {
  return headers.authorization === undefined && /\btext\/html\b/.test(headers.accept ?? '');
}

/** How an assistant is connected, also for people who are not signed in. Its style is that of auth-server's pages. */
export function sendVisitorPage(res: Response, baseUrl: string): void {
  const address = baseUrl + assistantPath;
  res
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      Vary: 'Accept, Authorization',
    })
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>An address for assistants · Tasks</title>
<link rel="stylesheet" href="/assets/style.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<script type="module" src="/assets/page.js"></script>
</head>
<body>
<header class="top"><a class="brand" href="/">${mark}Tasks</a></header>
<main class="centre wide">
<div class="card">
<h1>This address is for assistants</h1>
<div class="stack">
<p>Give it to Claude, ChatGPT, Cursor or any other assistant that takes a remote MCP server. It then asks for your permission.</p>
<div class="copy" data-copy="#address"><code id="address">${baseUrl}<wbr>${assistantPath}</code></div>
${isThisDevice(baseUrl) ? `<p class="warning">${thisDeviceWarning}</p>` : ''}
<div class="ways">
${assistantWays(address)
  .map(
    ({ name, steps }) =>
      `<details><summary>${name}</summary><ol class="steps">${steps.map(stepItem).join('')}</ol></details>`,
  )
  .join('\n')}
</div>
<p><a href="${appPath}/assistants">What the connected ones did</a></p>
</div>
</div>
</main>
</body>
</html>
`);
}

function stepItem(parts: readonly StepPart[]): string {
  return `<li><div>${parts.map(stepPart).join('')}</div></li>`;
}

function stepPart(part: StepPart): string {
  if (typeof part === 'string') return escapeText(part);
  if ('press' in part) return `<b>${escapeText(part.press)}</b>`;
  if ('type' in part) return `<code>${escapeText(part.type)}</code>`;
  return `<pre><code>${escapeText(part.command)}</code></pre>`;
}

/** Between tags. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
