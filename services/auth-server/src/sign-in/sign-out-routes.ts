import { html } from '#shared/html/html.ts';
import { findBrowserUser } from '../browser/browser-session-service.ts';
import { csrfField, readVerifiedForm } from '../browser/csrf.ts';
import { sendPage } from '../html/page.ts';
import type { Exchange, Route } from '../http/route.ts';
import { homePath, readReturnPath, signOutPath } from './sign-in-paths.ts';
import { signOutBrowserOf } from './sign-out.ts';

export const signOutRoutes: readonly Route[] = [
  { path: signOutPath, method: 'get', handler: confirm },
  { path: signOutPath, method: 'post', handler: leave },
];

/** A link must not sign users out, so the page asks. */
async function confirm(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  const user = await findBrowserUser(context, req);
  if (user === undefined) return res.redirect(303, '/');
  const body = html`<div class="stack">
<p>You are signed in as <strong><bdi>${user.account.email}</bdi></strong> in this browser.
Connected apps and personal tokens keep working.</p>
<form method="post" action="${signOutPath}" class="row">
${csrfField(exchange, signOutPath)}
<button class="btn primary">Sign out</button>
<a class="btn" href="${homePath}">Stay signed in</a>
</form>
</div>`;
  sendPage(res, { title: 'Sign out?', body });
}

async function leave(exchange: Exchange): Promise<void> {
  const form = await readVerifiedForm(exchange);
  await signOutBrowserOf(exchange);
  exchange.res.redirect(303, readReturnPath(form.get('return_to')) ?? '/');
}
