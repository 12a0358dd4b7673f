import type { FieldErrors } from '#shared/errors/app-error.ts';
import { html } from '#shared/html/html.ts';
import { queryOf } from '#shared/http/request-input.ts';
import { EmailTakenError } from '../accounts/account-address.ts';
import { findSignedInUser } from '../browser/browser-session-service.ts';
import { csrfField, readVerifiedForm } from '../browser/csrf.ts';
import { emailField, fieldErrors, newPasswordField, refusalText } from '../html/form.ts';
import { sendPage } from '../html/page.ts';
import type { Exchange, Route } from '../http/route.ts';
import { openOwnerSession } from '../session.ts';
import { confirmedSignUpRoutes, confirmingMail, requestSignUp } from './confirmed-sign-up-routes.ts';
import { browserOptions } from './known-browser.ts';
import { enterBrowser } from './sign-in-cookie.ts';
import { findRequestingApp, requestingApp } from './sign-in-form.ts';
import { countSignUp } from './sign-in-limits.ts';
import {
  homePath,
  pathAfterSignUp,
  pathWithReturn,
  readReturnPath,
  signInPath,
  signUpPath,
  withReturn,
} from './sign-in-paths.ts';
import { signUp } from './sign-in-service.ts';
import { requireOpenSignUp, signUpMembers, timezoneField } from './sign-up-form.ts';

export const signUpRoutes: readonly Route[] = [
  { path: signUpPath, method: 'get', handler: show },
  { path: signUpPath, method: 'post', handler: attempt },
  ...confirmedSignUpRoutes,
];

async function show(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  requireOpenSignUp(context);
  const returnTo = readReturnPath(queryOf(req).get('return_to')) ?? homePath;
  if ((await findSignedInUser(context, req)) !== undefined) return res.redirect(303, returnTo);
  return sendForm({ ...exchange, returnTo });
}

async function attempt(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  requireOpenSignUp(context);
  const form = await readVerifiedForm(exchange);
  const returnTo = readReturnPath(form.get('return_to')) ?? homePath;
  const email = (form.get('email') ?? '').trim();
  const timezone = form.get('timezone') || undefined;
  const filled = { ...exchange, returnTo, email, timezone };

  const attempt = await countSignUp(context, req);
  if (!attempt.isAllowed) {
    res.set(attempt.headers);
    return sendForm({ ...filled, refusal: `Too many sign-ups from your address. ${attempt.tryAgain}` }, 429);
  }
  const mail = confirmingMail(context);
  if (mail !== undefined) {
    try {
      return await requestSignUp(exchange, mail, { email, returnTo });
    } catch (error) {
      await attempt.refund();
      return sendForm({ ...filled, errors: fieldErrors(error, signUpMembers) }, 400);
    }
  }
  const options = { ...browserOptions(context, req), plan: context.config.signUpPlan };
  try {
    const input = { email, password: form.get('password') ?? '', timezone };
    const signedIn = await signUp(openOwnerSession(context, req), input, options);
    return enterBrowser(exchange, signedIn, pathAfterSignUp(returnTo));
  } catch (error) {
    if (!(error instanceof EmailTakenError)) await attempt.refund();
    return sendForm({ ...filled, errors: fieldErrors(error, signUpMembers) }, 400);
  }
}

type SignUpForm = Exchange & {
  /** A path of this site, opened after the sign-up. */
  returnTo: string;
  email?: string;
  /** undefined until one was chosen. */
  timezone?: string | undefined;
  errors?: FieldErrors;
  /** Why the form was refused. */
  refusal?: string;
};

const createNow = html`<button class="btn big primary">Create the account</button>`;
const confirmLater = html`<p class="hint">We will send you a link to confirm it.
Then you choose a password.</p>
<button class="btn big primary">Send me the link</button>`;

/** A submitted password is not returned. */
async function sendForm(form: SignUpForm, status = 200): Promise<void> {
  const { context, res, returnTo, email, errors = {}, refusal } = form;
  const app = await findRequestingApp(context, returnTo);
  const isConfirmed = confirmingMail(context) !== undefined;
  const password = newPasswordField({ name: 'password', label: 'Password', errors: errors.password });
  const fields = isConfirmed
    ? confirmLater
    : [password, timezoneField(form.timezone, errors.timezone), createNow];
  const body = html`<div class="stack">
${requestingApp(app, 'Create an account')}
${refusalText(refusal)}
<form method="post" action="${signUpPath}" class="stack" data-address="${withReturn(signUpPath, returnTo)}">
${csrfField(form, signUpPath)}
<input type="hidden" name="return_to" value="${returnTo}">
${emailField({ value: email, errors: errors.email })}
${fields}
</form>
</div>`;
  const below = html`You have an account? <a href="${pathWithReturn(signInPath, returnTo)}">Sign in</a>`;
  sendPage(res, { title: 'Create an account', body, layout: { kind: 'card', below } }, { status });
}
