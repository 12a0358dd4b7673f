import type { Request, Response } from 'express';
import { queryOf } from '#shared/http/request-input.ts';
import { EmailTakenError, reversalDays } from '../accounts/account-address.ts';
import {
  confirmAddressChange,
  confirmationHours,
  findLinkedAddress,
  revertAddressChange,
  revertSecondFactor,
} from '../accounts/address-change-service.ts';
import { clearCookie } from '../browser/browser-cookies.ts';
import { csrfField, readVerifiedForm, renewCsrfCookie } from '../browser/csrf.ts';
import type { Context } from '../context.ts';
import { type Html, html } from '../html/html.ts';
import { sendPage } from '../html/page.ts';
import { PageError } from '../html/page-error.ts';
import { untrustedText } from '../html/text.ts';
import type { Route } from '../http/route.ts';
import { openOwnerSession } from '../session.ts';
import { confirmAddressPath, homePath, resetPath, undoAddressPath, undoFactorPath } from './sign-in-paths.ts';

/** Where the links lead that change an address, and that take a change back: opening one asks, its button acts. */
export function addressRoutes(context: Context): Route[] {
  return [
    { path: confirmAddressPath, method: 'get', handler: (req, res) => askToConfirm(context, req, res) },
    { path: confirmAddressPath, method: 'post', handler: (req, res) => confirm(context, req, res) },
    { path: undoAddressPath, method: 'get', handler: (req, res) => askToUndo(context, req, res) },
    {
      path: undoAddressPath,
      method: 'post',
      handler: (req, res) => undo(context, req, res, revertAddressChange),
    },
    { path: undoFactorPath, method: 'get', handler: (req, res) => askToRemoveFactor(context, req, res) },
    {
      path: undoFactorPath,
      method: 'post',
      handler: (req, res) => undo(context, req, res, revertSecondFactor),
    },
  ];
}

async function askToConfirm(context: Context, req: Request, res: Response): Promise<void> {
  const link = queryOf(req).get('link') ?? '';
  const email = await findLinkedAddress(openOwnerSession(context, req), 'address_change', link);
  if (email === undefined) throw linkGone(`${confirmationHours} hours`);
  const body = html`<p>Your account has the address <strong>${untrustedText(email)}</strong> from now on: you sign in with it, and messages go there.
Your former address is told, and can take this back for ${reversalDays} days.</p>
<button class="btn big primary">Use this address</button>`;
  sendQuestion(context, req, res, { title: 'Change your address?', action: confirmAddressPath, link, body });
}

async function confirm(context: Context, req: Request, res: Response): Promise<void> {
  const form = await readVerifiedForm(context, req, res);
  const confirming = confirmAddressChange(openOwnerSession(context, req), form.get('link') ?? '');
  const email = await confirming.catch((error: unknown) => {
    throw error instanceof EmailTakenError ? addressTaken() : error;
  });
  if (email === undefined) throw linkGone(`${confirmationHours} hours`);
  const body = html`<div class="stack">
<p>Your account has the address <strong>${untrustedText(email)}</strong> now. You stay signed in where you are.</p>
<p><a href="${homePath}">Go to your tasks</a></p>
</div>`;
  sendPage(res, { title: 'Your address is changed', body });
}

async function askToUndo(context: Context, req: Request, res: Response): Promise<void> {
  const link = queryOf(req).get('link') ?? '';
  const email = await findLinkedAddress(openOwnerSession(context, req), 'address_reversal', link);
  if (email === undefined) throw linkGone(`${reversalDays} days`);
  const body = html`<p>Your account gets the address <strong>${untrustedText(email)}</strong> back.</p>
<p>All browsers are signed out, all apps are disconnected, and personal tokens are revoked. Passkeys, authenticator apps and recovery codes
end if they were added after the change, or in the week before it. The password is invalidated: you choose a new one next.</p>
<button class="btn big danger">Restore the address</button>`;
  sendQuestion(context, req, res, { title: 'Take your address back?', action: undoAddressPath, link, body });
}

async function askToRemoveFactor(context: Context, req: Request, res: Response): Promise<void> {
  const link = queryOf(req).get('link') ?? '';
  const email = await findLinkedAddress(openOwnerSession(context, req), 'factor_removal', link);
  if (email === undefined) throw linkGone(`${reversalDays} days`);
  const body = html`<p>The second factor that was added to the account of <strong>${untrustedText(email)}</strong> is removed, and so is any that followed.</p>
<p>All browsers are signed out, all apps are disconnected, and personal tokens are revoked. The password is invalidated: you choose a new one next.</p>
<button class="btn big danger">Remove the second factor</button>`;
  sendQuestion(context, req, res, { title: 'Was it not you?', action: undoFactorPath, link, body });
}

type Revert = typeof revertAddressChange;

async function undo(context: Context, req: Request, res: Response, revert: Revert): Promise<void> {
  const form = await readVerifiedForm(context, req, res);
  const secret = await revert(openOwnerSession(context, req), form.get('link') ?? '');
  if (secret === undefined) throw linkGone(`${reversalDays} days`);
  clearCookie(context, res, 'session');
  renewCsrfCookie(context, res);
  res.redirect(303, `${resetPath}?${new URLSearchParams({ link: secret })}`);
}

type Question = { title: string; action: string; link: string; body: Html };

function sendQuestion(context: Context, req: Request, res: Response, question: Question): void {
  const { title, action, link, body } = question;
  const form = html`<form method="post" action="${action}" class="stack">
${csrfField(context, req, res, action)}
<input type="hidden" name="link" value="${link}">
${body}
</form>`;
  sendPage(res, { title, body: form });
}

function linkGone(lifetime: string): PageError {
  return new PageError({
    status: 400,
    title: 'This link no longer works',
    message: `It was used, it is older than ${lifetime}, or a later change has replaced it. Nothing was changed.`,
  });
}

function addressTaken(): PageError {
  return new PageError({
    status: 409,
    title: 'This address has an account',
    message: 'An address can belong to only one account. Nothing was changed.',
  });
}
