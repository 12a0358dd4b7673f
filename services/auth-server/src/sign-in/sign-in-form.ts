import type { FieldErrors } from '#shared/errors/app-error.ts';
import { type Html, html } from '#shared/html/html.ts';
import { findBrowserUser } from '../browser/browser-session-service.ts';
import { csrfField, readVerifiedForm, StaleFormError } from '../browser/csrf.ts';
import { redirectTarget } from '../clients/redirect-uri-rules.ts';
import type { Context } from '../context.ts';
import { emailField, inputField, noticeText, refusalText } from '../html/form.ts';
import { type Page, sendPage } from '../html/page.ts';
import { passkeyButton } from '../html/passkey-button.ts';
import { untrustedText } from '../html/text.ts';
import type { Exchange } from '../http/route.ts';
import { UnreachableClientError } from '../oauth/client-registry.ts';
import { findAuthorizationAt, type PendingAuthorization } from '../oauth/pending-authorization.ts';
import { passkeyRequestOptions } from '../second-factor/passkey-service.ts';
import { passkeySiteOf } from '../second-factor/passkey-site.ts';
import {
  forgotPath,
  homePath,
  passkeySignInPath,
  pathWithReturn,
  signInPath,
  signUpPath,
  withReturn,
} from './sign-in-paths.ts';

type SignInFormOptions = Exchange & {
  /** A path of this site, opened after the sign-in. */
  returnTo: string;
  email?: string | undefined;
  /** Notice of what was done before. */
  notice?: string | undefined;
  error?: string;
  errors?: FieldErrors;
  /** The app whose authorization is pending. */
  app?: RequestingApp | undefined;
};

type RequestingApp = Pick<PendingAuthorization, 'clientName' | 'redirectUri'>;

export const lockedMessage = 'This account is locked. Contact the operator of this service.';
export const passkeySignInPurpose = 'sign-in';

export function signInPage(options: SignInFormOptions): Page {
  const { context, returnTo, email, notice, error, errors, app } = options;
  const isRefused = error !== undefined || errors !== undefined;
  const body = html`<div class="stack">
${requestingApp(app, 'Sign in')}
${noticeText(notice)}
${refusalText(error)}
<form method="post" action="${signInPath}"
class="stack"${isRefused && html` data-address="${withReturn(signInPath, returnTo)}"`}>
${csrfField(options, signInPath)}
<input type="hidden" name="return_to" value="${returnTo}">
${emailField({ autocomplete: 'username webauthn', value: email, errors: errors?.email })}
${inputField({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  errors: errors?.password,
})}
<button class="btn big primary">Sign in</button>
</form>
${passkeyForm(options)}
<p><a href="${withReturn(forgotPath, returnTo)}">Forgot your password?</a></p>
</div>`;
  const isSignUpOpen = context.config.signUp === 'open';
  const below = isSignUpOpen
    ? html`No account yet? <a href="${pathWithReturn(signUpPath, returnTo)}">Create one</a>`
    : undefined;
  return { title: 'Sign in', body, layout: { kind: 'card', below } };
}

/** Empty without script. */
function passkeyForm(form: SignInFormOptions): Html {
  const options = passkeyRequestOptions(passkeySiteOf(form), passkeySignInPurpose);
  return html`<form method="post" action="${passkeySignInPath}">
${csrfField(form, passkeySignInPath)}
<input type="hidden" name="return_to" value="${form.returnTo}">
${passkeyButton({ label: 'Sign in with a passkey', field: 'passkey', options, isOfferedInField: true })}
</form>`;
}

/** undefined if the browser has signed in in another tab: then the request continues. */
export async function readSignInForm(exchange: Exchange): Promise<URLSearchParams | undefined> {
  const { context, req, res } = exchange;
  try {
    return await readVerifiedForm(exchange);
  } catch (error) {
    const isStale = error instanceof StaleFormError;
    if (!isStale || (await findBrowserUser(context, req)) === undefined) throw error;
    res.redirect(303, pathWithReturn(signInPath, error.form.get('return_to') ?? homePath));
    return undefined;
  }
}

export async function sendSignInForm(options: SignInFormOptions, status = 200): Promise<void> {
  const app = await findRequestingApp(options.context, options.returnTo);
  sendPage(options.res, signInPage({ ...options, app }), { status });
}

/** A longer name could hold instructions. */
const maximumNameLength = 40;

/**
 * The reason to sign in or sign up. Anybody can make this page show a name, so it is shortened and shown with
 * its host.
 */
export function requestingApp(
  app: RequestingApp | undefined,
  step: 'Sign in' | 'Create an account',
): Html | undefined {
  if (app === undefined) return undefined;
  const characters = [...app.clientName];
  const isLong = characters.length > maximumNameLength;
  const shown = isLong ? `${characters.slice(0, maximumNameLength - 1).join('')}…` : app.clientName;
  const { host } = redirectTarget(app.redirectUri);
  return html`<p>An app that calls itself <span class="claim">“${untrustedText(shown)}”</span>
wants to use your tasks; your answer would go to <strong>${host}</strong>. ${step} to decide.</p>`;
}

/** The app whose authorization is pending at the path, if any. */
export async function findRequestingApp(
  context: Context,
  returnTo: string,
): Promise<RequestingApp | undefined> {
  const authorization = await findAuthorizationAt(context, returnTo).catch((error: unknown) => {
    // The host that describes the app must not decide whether people can sign in, or failures are recorded.
    if (error instanceof UnreachableClientError) return undefined;
    throw error;
  });
  return authorization?.isDecided === false ? authorization : undefined;
}
