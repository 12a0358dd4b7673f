import type { Request, Response } from 'express';
import { appPath, pageScriptPath } from '#shared/app/app-protocol.ts';
import { addressAndWays } from '#shared/html/assistant-address.ts';
import { html } from '#shared/html/html.ts';
import { mark } from '#shared/html/mark.ts';
import { readTheme } from '#shared/http/request-cookies.ts';

/** Clients of the protocol ask for an event stream. */
export function isFromBrowser({ headers }: Request): boolean {
  return headers.authorization === undefined && /\btext\/html\b/.test(headers.accept ?? '');
}

/** How an assistant is connected, also for people who are not signed in. Styled as auth-server's pages. */
export function sendAssistantPage(res: Response, baseUrl: string): void {
  res
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " +
        "base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      Vary: 'Accept, Authorization, Cookie',
    })
    .send(
      html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${readTheme(res.req) ?? 'light dark'}">
<title>An address for assistants · Tasks</title>
<link rel="stylesheet" href="/assets/style.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<script type="module" src="${pageScriptPath}"></script>
</head>
<body>
<header class="top"><a class="brand" href="/">${mark}Tasks</a></header>
<main class="centre wide">
<div class="card">
<h1>This address is for assistants</h1>
<div class="stack">
<p>Give it to Claude, ChatGPT, Cursor or any other assistant that takes a remote MCP server.
It then asks for your permission.</p>
${addressAndWays(baseUrl)}
<p><a href="${appPath}/assistants">What the connected ones did</a></p>
</div>
</div>
</main>
</body>
</html>
`.text,
    );
}
