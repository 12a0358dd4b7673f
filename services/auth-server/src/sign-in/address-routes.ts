import { type Html, html } from '#shared/html/html.ts';
import { queryOf } from '#shared/http/request-input.ts';
import { EmailTakenError, isReturnTo, reversalDays } from '../accounts/account-address.ts';
import {
  confirmAddressChange,
  confirmationHours,
  findLink,
  revertAddressChange,
  revertSecondFactor,
} from '../accounts/address-change-service.ts';
import { clearCookie } from '../browser/browser-cookies.ts';
import { findBrowserUser } from '../browser/browser-session-service.ts';
import { csrfField, readVerifiedForm, renewCsrfCookie } from '../browser/csrf.ts';
import { sendPage } from '../html/page.ts';
import { deadLink, PageError, type Way } from '../html/page-error.ts';
import { untrustedText } from '../html/text.ts';
import type { Exchange, Route } from '../http/route.ts';
import { openOwnerSession } from '../session.ts';
import {
  confirmAddressPath,
  forgotPath,
  homePath,
  pathWithLink,
  resetPath,
  undoAddressPath,
  undoFactorPath,
  undoneNotice,
} from './sign-in-paths.ts';
import { otherAccountHint, signOutBrowserOf } from './sign-out.ts';

/** The page of a link, and the action of its button. */
type LinkPage = {
  path: string;
  kind: 'address_change' | 'address_reversal' | 'factor_removal';
  lifetime: string;
  /** The next step after an invalid link. */
  way?: Way;
  title: string;
  /** Shown above the button. */
  question(email: Html, change: { accountEmail: Html; isReturn: boolean }): Html;
  act(exchange: Exchange): Promise<void>;
};

const confirmationPage: LinkPage = {
  path: confirmAddressPath,
  kind: 'address_change',
  lifetime: `${confirmationHours} hours`,
  title: 'Change your address?',
  question: (
    email,
    { accountEmail, isReturn },
  ) => html`<p>The account of <strong>${accountEmail}</strong> gets the address <strong>${email}</strong>:
you sign in with it, and messages go there.
Your present address is told, and ${
    isReturn
      ? 'cannot take this back: the account had the other one before'
      : `can take this back for ${reversalDays} days`
  }.</p>
<button class="btn big primary">Use this address</button>`,
  act: confirm,
};

// A used link has invalidated the password: users who left the next page choose one here.
const newPasswordWay: Way = { label: 'Choose a new password', path: forgotPath };

const reversalPage: LinkPage = {
  path: undoAddressPath,
  kind: 'address_reversal',
  lifetime: `${reversalDays} days`,
  way: newPasswordWay,
  title: 'Take your address back?',
  question: (email) => html`<p>Your account gets the address <strong>${email}</strong> back.</p>
<p>All browsers are signed out, all apps are disconnected, and personal tokens are revoked.
Passkeys, authenticator apps and recovery codes
end if they were added after the change, or in the week before it.
The password is invalidated: you choose a new one next.</p>
<button class="btn big danger">Restore the address</button>`,
  act: (exchange) => undo(exchange, revertAddressChange),
};

const factorRemovalPage: LinkPage = {
  path: undoFactorPath,
  kind: 'factor_removal',
  lifetime: `${reversalDays} days`,
  way: newPasswordWay,
  title: 'Was it not you?',
  question: (
    email,
  ) => html`<p>Passkeys, authenticator apps and recovery codes of the account of <strong>${email}</strong>
end if they were added after the message, or in the week before it.</p>
<p>All browsers are signed out, all apps are disconnected, and personal tokens are revoked.
The password is invalidated: you choose a new one next.</p>
<button class="btn big danger">Remove these second factors</button>`,
  act: (exchange) => undo(exchange, revertSecondFactor),
};

/** The pages of links that change an address or undo a change. */
export const addressRoutes = [confirmationPage, reversalPage, factorRemovalPage].flatMap((page): Route[] => [
  { path: page.path, method: 'get', handler: (exchange) => ask(exchange, page) },
  { path: page.path, method: 'post', handler: page.act },
]);

async function ask(exchange: Exchange, page: LinkPage): Promise<void> {
  const { context, req, res } = exchange;
  const { path, kind, title, question } = page;
  const link = queryOf(req).get('link') ?? '';
  const session = openOwnerSession(context, req);
  const found = await findLink(session, kind, link);
  if (found === undefined) throw linkGone(page);
  if (found.isLocked) throw accountLocked();
  const { accountId, email } = found;
  const accountEmail = untrustedText('accountEmail' in found ? found.accountEmail : email);
  const isReturn = kind === 'address_change' && (await isReturnTo(session.em, accountId, email));
  const body = html`<form method="post" action="${path}" class="stack">
${csrfField(exchange, path)}
<input type="hidden" name="link" value="${link}">
${kind !== 'address_change' && (await otherAccountHint(exchange, accountId))}
${question(untrustedText(email), { accountEmail, isReturn })}
</form>`;
  sendPage(res, { title, body });
}

async function confirm(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  const form = await readVerifiedForm(exchange);
  const confirming = confirmAddressChange(openOwnerSession(context, req), form.get('link') ?? '');
  const email = await confirming.catch((error: unknown) => {
    throw error instanceof EmailTakenError ? addressTaken() : error;
  });
  if (email === undefined) throw linkGone(confirmationPage);
  const body = html`<div class="stack">
<p>Your account has the address <strong>${untrustedText(email)}</strong> now.
You stay signed in where you are.</p>
<p><a href="${homePath}">Go to your tasks</a></p>
</div>`;
  sendPage(res, { title: 'Your address is changed', body });
}

type Revert = typeof revertAddressChange;

async function undo(exchange: Exchange, revert: Revert): Promise<void> {
  const { context, req, res } = exchange;
  const form = await readVerifiedForm(exchange);
  const secret = await revert(openOwnerSession(context, req), form.get('link') ?? '');
  if (secret === undefined) throw linkGone(reversalPage);
  // The browser is signed in as another account, whose pages and tasks would stay open.
  if ((await findBrowserUser(context, req)) !== undefined) await signOutBrowserOf(exchange);
  clearCookie(context, res, 'session');
  renewCsrfCookie(context, res);
  res.redirect(303, `${pathWithLink(resetPath, secret)}&notice=${undoneNotice}`);
}

function linkGone({ lifetime, way }: Pick<LinkPage, 'lifetime' | 'way'>): PageError {
  return deadLink(
    `It was used, it is older than ${lifetime}, or a later change has replaced it. ` +
      'Opening it again changes nothing.',
    way,
  );
}

function accountLocked(): PageError {
  return new PageError({
    status: 403,
    title: 'This account is locked',
    message:
      'Only the operator of this service can unlock it: contact them. The link stays as it is until then.',
  });
}

function addressTaken(): PageError {
  return new PageError({
    status: 409,
    title: 'This address has an account',
    message: 'An address can belong to only one account. Nothing was changed.',
  });
}
