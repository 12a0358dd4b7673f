import type { FieldErrors } from '#shared/errors/app-error.ts';
import { html } from '#shared/html/html.ts';
import { queryOf } from '#shared/http/request-input.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { addressChangeInput } from '../accounts/account-schema.ts';
import {
  findLinkedAccount,
  resetLifetimeMinutes,
  resetPassword,
} from '../accounts/password-reset-service.ts';
import { findBrowserUser } from '../browser/browser-session-service.ts';
import { csrfField, readVerifiedForm, renewCsrfCookie } from '../browser/csrf.ts';
import { emailField, type FormMember, fieldErrors, newPasswordField, noticeText } from '../html/form.ts';
import { sendPage } from '../html/page.ts';
import { deadLink, type PageError } from '../html/page-error.ts';
import { untrustedText } from '../html/text.ts';
import type { Exchange, Route } from '../http/route.ts';
import { mailOrigin } from '../mail/mail-facts.ts';
import { hasSecondFactor } from '../second-factor/second-factor-service.ts';
import { openOwnerSession } from '../session.ts';
import { rememberBrowser } from './known-browser.ts';
import { leadToSignIn } from './passed-address.ts';
import { countLinkTo } from './sign-in-limits.ts';
import {
  forgotPath,
  passwordResetNotice,
  pathWithLink,
  readReturnPath,
  resetPath,
  signInPath,
  undoneNotice,
  withReturn,
} from './sign-in-paths.ts';
import { otherAccountHint, signOutBrowserOf } from './sign-out.ts';

export const passwordResetRoutes: readonly Route[] = [
  { path: forgotPath, method: 'get', handler: showForgot },
  { path: forgotPath, method: 'post', handler: requestLink },
  { path: resetPath, method: 'get', handler: showReset },
  { path: resetPath, method: 'post', handler: reset },
];

const members: Readonly<Record<string, FormMember>> = {
  email: { field: 'email', message: 'Enter your e-mail address.' },
  password: { field: 'password', subject: 'The password' },
};

async function showForgot(exchange: Exchange): Promise<void> {
  sendForgotForm(exchange, { returnTo: readReturnPath(queryOf(exchange.req).get('return_to')) });
}

/** Asks for the address; without mail it refers to the operator. */
function sendForgotForm(
  exchange: Exchange,
  { returnTo, email, errors }: { returnTo: string | undefined; email?: string; errors?: FieldErrors },
): void {
  const { context, res } = exchange;
  const form = html`<form method="post" action="${forgotPath}" class="stack"
data-address="${withReturn(forgotPath, returnTo)}">
${csrfField(exchange, forgotPath)}
${returnTo !== undefined && html`<input type="hidden" name="return_to" value="${returnTo}">`}
${emailField({ value: email, errors: errors?.email, isFirst: true })}
<button class="btn big primary">Send me a link</button>
</form>`;
  const byOperator = html`<p>This service cannot send mail.
Its operator can give you a link to choose a new password.</p>`;
  const body = html`<div class="stack">
${context.mail === undefined ? byOperator : [html`<p>We will send you a link to choose a new one.</p>`, form]}
<p><a href="${withReturn(signInPath, returnTo)}">Back to sign-in</a></p>
</div>`;
  sendPage(res, { title: 'Forgot your password?', body }, { status: errors === undefined ? 200 : 400 });
}

/** Response and time are the same for an address without an account. */
async function requestLink(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  const form = await readVerifiedForm(exchange);
  const email = (form.get('email') ?? '').trim();
  const returnTo = readReturnPath(form.get('return_to'));
  if (context.mail === undefined) return sendForgotForm(exchange, { returnTo });
  try {
    validateInput(addressChangeInput, { email }, 'form');
  } catch (error) {
    return sendForgotForm(exchange, { returnTo, email, errors: fieldErrors(error, members) });
  }
  // Silently: a visible limit would reveal earlier requests for the address.
  const origin = mailOrigin(openOwnerSession(context, req));
  if (await countLinkTo(context.limiters.passwordReset, email))
    await context.mail.requestLink({ kind: 'password-reset', email, origin });
  const body = html`<div class="stack" data-address="${withReturn(forgotPath, returnTo)}">
<p>If ${untrustedText(email)} has an account here, a message that says how to go on is on its way.
A link in it works for ${resetLifetimeMinutes} minutes.</p>
<p>Nothing after a few minutes? Check your spam folder,
or <a href="${withReturn(forgotPath, returnTo)}">try another address</a>.
An address gets at most ${context.config.passwordResetsPerAccountPerHour} messages an hour.</p>
${
  returnTo !== undefined &&
  html`<p>Keep this page open: once you have a new password,
sign in from here to go on.</p>`
}
<p><a href="${withReturn(signInPath, returnTo)}">Back to sign-in</a></p>
</div>`;
  sendPage(res, { title: 'Look into your mailbox', body });
}

async function showReset(exchange: Exchange): Promise<void> {
  const query = queryOf(exchange.req);
  const isUndone = query.get('notice') === undoneNotice;
  await sendResetForm(exchange, { link: query.get('link') ?? '', isUndone });
}

const changeUndone =
  'The change is taken back. ' +
  'All browsers are signed out, all apps are disconnected, ' +
  'personal tokens are revoked, and the former password no longer works.';

const factorsStay =
  'Passkeys, authenticator apps and recovery codes stay: look through them when you are signed in.';

/** `isUndone`: the link follows the undo of a change, which has ended all other access. */
type ResetForm = { link: string; isUndone: boolean; revokeApiTokens?: boolean; errors?: FieldErrors };

function addressOf({ link, isUndone }: ResetForm): string {
  return `${pathWithLink(resetPath, link)}${isUndone ? `&notice=${undoneNotice}` : ''}`;
}

/** Throws PageError. */
async function sendResetForm(exchange: Exchange, form: ResetForm): Promise<void> {
  const { context, req, res } = exchange;
  const { link, isUndone, revokeApiTokens = false, errors } = form;
  const account = await findLinkedAccount(openOwnerSession(context, req), link);
  if (account === undefined) throw linkGone();
  const hasFactor = await hasSecondFactor({ em: context.em.fork() }, account.id);
  const ends = html`<label class="choice">
<input type="checkbox" name="revoke_tokens"${revokeApiTokens && html` checked`}>
<span>Revoke my personal tokens, too: scripts that use them stop working.</span></label>
<p class="hint">All browsers will be signed out, and all apps disconnected. ${hasFactor && factorsStay}</p>`;
  const body = html`<div class="stack">
${noticeText(isUndone ? changeUndone : undefined)}
<p>For the account ${untrustedText(account.email)}.</p>
<form method="post" action="${resetPath}" class="stack" data-address="${addressOf(form)}">
${csrfField(exchange, resetPath)}
<input type="hidden" name="link" value="${link}">
${isUndone && html`<input type="hidden" name="notice" value="${undoneNotice}">`}
<input type="email" value="${account.email}" autocomplete="username" readonly hidden>
${newPasswordField({ name: 'password', label: 'New password', errors: errors?.password, isFirst: true })}
${!isUndone && ends}
${await otherAccountHint(exchange, account.id)}
<button class="btn big primary">Save the new password</button>
</form>
</div>`;
  sendPage(res, { title: 'Choose a new password', body }, { status: errors === undefined ? 200 : 400 });
}

async function reset(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  const form = await readVerifiedForm(exchange);
  const link = form.get('link') ?? '';
  const revokeApiTokens = form.has('revoke_tokens');
  const input = { password: form.get('password') ?? undefined, revokeApiTokens };
  let account: Awaited<ReturnType<typeof resetPassword>>;
  try {
    account = await resetPassword(openOwnerSession(context, req), link, input);
  } catch (error) {
    const isUndone = form.get('notice') === undoneNotice;
    const errors = fieldErrors(error, members);
    return sendResetForm(exchange, { link, isUndone, revokeApiTokens, errors });
  }
  if (account === undefined) throw linkGone();
  // Failures of others must not keep the owner from signing in with the new password.
  rememberBrowser(exchange, account.id);
  renewCsrfCookie(context, res);
  // The browser is signed in as another account, whose pages would open.
  if ((await findBrowserUser(context, req)) !== undefined) await signOutBrowserOf(exchange);
  leadToSignIn(exchange, { notice: passwordResetNotice, email: account.email });
}

function linkGone(): PageError {
  const way = { label: 'Request a new link', path: forgotPath };
  return deadLink('It was used already, or is older than half an hour.', way);
}
