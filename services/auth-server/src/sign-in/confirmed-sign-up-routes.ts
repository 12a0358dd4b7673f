import type { Request } from 'express';
import type { FieldErrors } from '#shared/errors/app-error.ts';
import { html } from '#shared/html/html.ts';
import { queryOf } from '#shared/http/request-input.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { addressChangeInput } from '../accounts/account-schema.ts';
import { findAccountByEmail } from '../accounts/account-service.ts';
import { confirmationHours, findLink } from '../accounts/address-change-service.ts';
import { findBrowserUser } from '../browser/browser-session-service.ts';
import { csrfField, readVerifiedForm } from '../browser/csrf.ts';
import type { Context } from '../context.ts';
import { emailField, fieldErrors, newPasswordField } from '../html/form.ts';
import { sendPage } from '../html/page.ts';
import { deadLink, PageError } from '../html/page-error.ts';
import { untrustedText } from '../html/text.ts';
import type { Exchange, Route } from '../http/route.ts';
import { mailOrigin } from '../mail/mail-facts.ts';
import type { MailService } from '../mail/mail-service.ts';
import { openOwnerSession } from '../session.ts';
import { browserOptions } from './known-browser.ts';
import { enterBrowser } from './sign-in-cookie.ts';
import { countLinkTo } from './sign-in-limits.ts';
import {
  confirmSignUpPath,
  homePath,
  pathAfterSignUp,
  signInPath,
  signUpPath,
  withReturn,
} from './sign-in-paths.ts';
import { signUp } from './sign-in-service.ts';
import { otherAccountHint, signOutBrowserOf } from './sign-out.ts';
import { requireOpenSignUp, signUpMembers, timezoneField } from './sign-up-form.ts';

/** Creates an account for a confirmed address; served whether or not mail is configured. */
export const confirmedSignUpRoutes: readonly Route[] = [
  { path: confirmSignUpPath, method: 'get', handler: show },
  { path: confirmSignUpPath, method: 'post', handler: confirm },
];

/** The mail service that confirms addresses; undefined if mail is written as files or not configured. */
export function confirmingMail({ config, mail }: Context): MailService | undefined {
  return config.mail?.kind === 'smtp' ? mail : undefined;
}

/**
 * Sends a link to the address. Response and time are the same for an address that has an account. Throws
 * validation_error.
 */
export async function requestSignUp(
  { context, req, res }: Exchange,
  mail: MailService,
  { email: typed, returnTo }: { email: string; returnTo: string },
): Promise<void> {
  const { email } = validateInput(addressChangeInput, { email: typed }, 'form');
  const origin = mailOrigin(openOwnerSession(context, req));
  // Silently: a visible limit would reveal earlier requests for the address.
  if (await countLinkTo(context.limiters.addressLink, email))
    await mail.requestLink({ kind: 'sign-up', email, returnTo, origin });
  const body = html`<div class="stack" data-address="${withReturn(signUpPath, returnTo)}">
<p>A message to ${untrustedText(email)} is on its way.
Open the link in it to go on: it works for ${confirmationHours} hours.</p>
<p>Nothing after a few minutes? Check your spam folder,
or <a href="${withReturn(signUpPath, returnTo)}">try another address</a>.
An address gets at most ${context.config.addressLinksPerHour} messages an hour.</p>
${
  returnTo !== homePath &&
  html`<p>Keep this page open: once you have an account,
sign in from here to go on.</p>`
}
<p><a href="${withReturn(signInPath, returnTo)}">Back to sign-in</a></p>
</div>`;
  sendPage(res, { title: 'Look into your mailbox', body });
}

async function show(exchange: Exchange): Promise<void> {
  const { context, req } = exchange;
  const query = queryOf(req);
  const link = query.get('link') ?? '';
  const email = await findAddress(context, req, link);
  await sendForm(exchange, { link, email, returnTo: query.get('return_to') ?? '' });
}

async function confirm(exchange: Exchange): Promise<void> {
  const { context, req } = exchange;
  const form = await readVerifiedForm(exchange);
  const link = form.get('link') ?? '';
  const returnTo = form.get('return_to') ?? '';
  const timezone = form.get('timezone') || undefined;
  const email = await findAddress(context, req, link);
  const options = { ...browserOptions(context, req), plan: context.config.signUpPlan, link };
  try {
    const input = { email, password: form.get('password') ?? '', timezone };
    const previousUser = await findBrowserUser(context, req);
    const signedIn = await signUp(openOwnerSession(context, req), input, options);
    // The tasks of that account would stay in the browser.
    if (previousUser !== undefined) await signOutBrowserOf(exchange);
    return enterBrowser(exchange, signedIn, pathAfterSignUp(returnTo));
  } catch (error) {
    const errors = fieldErrors(error, signUpMembers);
    return sendForm(exchange, { link, email, returnTo, timezone, errors });
  }
}

/** Throws PageError. */
async function findAddress(context: Context, req: Request, link: string): Promise<string> {
  requireOpenSignUp(context);
  const session = openOwnerSession(context, req);
  const found = await findLink(session, 'sign_up', link);
  if (found !== undefined && (await findAccountByEmail(session, found.email)) !== null)
    throw new PageError({
      status: 409,
      title: 'You have an account already',
      message: `${found.email} has an account since this link was sent.`,
      way: { label: 'Sign in', path: signInPath },
    });
  if (found !== undefined) return found.email;
  throw deadLink(
    `It was used, or it is older than ${confirmationHours} hours. If you have an account by now, sign in.`,
    { label: 'Request a new link', path: signUpPath },
    { label: 'Sign in', path: signInPath },
  );
}

type ConfirmForm = {
  link: string;
  email: string;
  returnTo: string;
  timezone?: string | undefined;
  errors?: FieldErrors;
};

/** A submitted password is not returned. */
async function sendForm(exchange: Exchange, form: ConfirmForm): Promise<void> {
  const { link, email, returnTo, timezone, errors } = form;
  const address = `${confirmSignUpPath}?${new URLSearchParams({ link, return_to: returnTo })}`;
  const body = html`<div class="stack">
<form method="post" action="${confirmSignUpPath}" class="stack" data-address="${address}">
${csrfField(exchange, confirmSignUpPath)}
<input type="hidden" name="link" value="${link}">
<input type="hidden" name="return_to" value="${returnTo}">
${emailField({ value: email, isReadOnly: true, errors: errors?.email })}
${newPasswordField({ name: 'password', label: 'Password', errors: errors?.password })}
${timezoneField(timezone, errors?.timezone)}
${await otherAccountHint(exchange, undefined)}
<button class="btn big primary">Create the account</button>
</form>
</div>`;
  sendPage(exchange.res, { title: 'Create an account', body }, { status: errors === undefined ? 200 : 400 });
}
