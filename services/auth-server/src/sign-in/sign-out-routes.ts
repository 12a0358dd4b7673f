import type { Request, Response } from 'express';
import { requestOrigin } from '../audit/origin.ts';
import { clearSessionCookie, readCookie } from '../browser/browser-cookies.ts';
import { findVisitor, signOutPath } from '../browser/browser-session-service.ts';
import { readReturnPath } from '../browser/return-path.ts';
import { csrfField, readTrustedForm, renewCsrfCookie } from '../browser/trusted-form.ts';
import type { Context } from '../context.ts';
import { html } from '../html/html.ts';
import { sendPage } from '../html/send-page.ts';
import type { Route } from '../http/route.ts';
import { openSession } from '../session.ts';
import { signOut } from './sign-in-service.ts';

/**
 * No page of ours stores anything; what another may have stored goes too. Not "cache", which holds nothing of an account
 * and takes Chromium long (crbug.com/40233601), nor "cookies", which takes those of the hosts beside this one along.
 */
const clearedSiteData = '"storage"';

export function signOutRoutes(context: Context): Route[] {
  return [
    { path: signOutPath, method: 'get', handler: (req, res) => confirm(context, req, res) },
    { path: signOutPath, method: 'post', handler: (req, res) => leave(context, req, res) },
  ];
}

/** A link must not sign anybody out, so it asks. */
async function confirm(context: Context, req: Request, res: Response): Promise<void> {
  const visitor = await findVisitor(context, req);
  if (visitor === undefined) return res.redirect(303, '/');
  const body = html`<div class="card narrow stack">
<p>You are signed in as <strong><bdi>${visitor.account.email}</bdi></strong> in this browser. Connected apps and personal tokens keep working.</p>
<form method="post" action="${signOutPath}" class="row">
${csrfField(context, req, res, signOutPath)}
<button class="primary">Sign out</button>
<a href="/settings">Stay signed in</a>
</form>
</div>`;
  sendPage(res, { title: 'Sign out?', body });
}

async function leave(context: Context, req: Request, res: Response): Promise<void> {
  const form = await readTrustedForm(context, req, res);
  const secret = readCookie(context, req, 'session');
  if (secret !== undefined) {
    const origin = requestOrigin(req, context.config.trustedProxyHops, 'owner');
    await signOut(openSession(context, origin), secret);
  }
  clearSessionCookie(context, res);
  renewCsrfCookie(context, res);
  res.set('Clear-Site-Data', clearedSiteData);
  res.redirect(303, readReturnPath(form.get('return_to')) ?? '/');
}
