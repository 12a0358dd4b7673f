import type { Request, Response } from 'express';
import { findBrowserUser, signOutPath } from '../browser/browser-session-service.ts';
import { csrfField, readVerifiedForm } from '../browser/csrf.ts';
import type { Context } from '../context.ts';
import { html } from '../html/html.ts';
import { sendPage } from '../html/page.ts';
import type { Route } from '../http/route.ts';
import { homePath, readReturnPath } from './sign-in-paths.ts';
import { signOutBrowserOf } from './sign-out.ts';

export const signOutRoutes: readonly Route[] = [
  { path: signOutPath, method: 'get', handler: confirm },
  { path: signOutPath, method: 'post', handler: leave },
];

/** A link must not sign anybody out, so it asks. */
async function confirm(context: Context, req: Request, res: Response): Promise<void> {
  const user = await findBrowserUser(context, req);
  if (user === undefined) return res.redirect(303, '/');
  const body = html`<div class="stack">
<p>You are signed in as <strong><bdi>${user.account.email}</bdi></strong> in this browser. Connected apps and personal tokens keep working.</p>
<form method="post" action="${signOutPath}" class="row">
${csrfField(context, req, res, signOutPath)}
<button class="btn primary">Sign out</button>
<a class="btn" href="${homePath}">Stay signed in</a>
</form>
</div>`;
  sendPage(res, { title: 'Sign out?', body });
}

async function leave(context: Context, req: Request, res: Response): Promise<void> {
  const form = await readVerifiedForm(context, req, res);
  await signOutBrowserOf(context, req, res);
  res.redirect(303, readReturnPath(form.get('return_to')) ?? '/');
}
