import { type Html, html } from '#shared/html/html.ts';
import { hashSecret } from '#shared/tokens/secret.ts';
import { isPasswordOf } from '../accounts/account-service.ts';
import { setCookie } from '../browser/browser-cookies.ts';
import { confirmBrowserSession } from '../browser/browser-session-repository.ts';
import { inputField } from '../html/form.ts';
import { passkeyButton } from '../html/passkey-button.ts';
import { listPasskeys } from '../second-factor/passkey-repository.ts';
import { passkeyRequestOptions, usePasskey } from '../second-factor/passkey-service.ts';
import { passkeySiteOf } from '../second-factor/passkey-site.ts';
import { countSignIn, verifyCounted } from '../sign-in/sign-in-limits.ts';
import type { FormHandler, SettingsRequest } from './settings-tab.ts';

const freshMilliseconds = 10 * 60_000;
/** No other form has fields of these names. */
const passwordField = 'confirm_password';
const passkeyField = 'confirm_passkey';
const purpose = 'confirmation';

/** Whether the user signed in or reauthenticated in this browser within ten minutes. */
function isFresh({ context, user }: SettingsRequest): boolean {
  return context.clock.now().getTime() - user.confirmedAt.getTime() < freshMilliseconds;
}

/**
 * Wraps the handler of a form that requires a fresh sign-in. Without one, a page asks for it; its form
 * contains all submitted fields, which `change` then receives as if submitted directly.
 */
export function whenFresh(change: FormHandler): FormHandler {
  return async (request, form) => {
    const confirmed = isFresh(request) ? request : await confirm(request, form);
    if (confirmed !== undefined) await change(confirmed, withoutProof(form));
  };
}

/** The request, if the form contains a valid proof. If not, the page that asks for it has been sent. */
async function confirm(
  request: SettingsRequest,
  form: URLSearchParams,
): Promise<SettingsRequest | undefined> {
  const { context, req, session, user } = request;
  const passkey = form.get(passkeyField);
  const password = form.get(passwordField);
  if (passkey) {
    const used = await usePasskey(session, passkeySiteOf(request), purpose, passkey);
    if (used?.accountId !== user.account.id)
      return ask(request, form, { error: passkeyRefused, status: 400 });
    return confirmSession(request);
  }
  if (password === null) return ask(request, form);
  const guess = await countSignIn(context, req, user.account.email);
  if (!guess.isAllowed) {
    const { headers, tryAgain } = guess;
    return ask(request, form, { error: `Too many attempts. ${tryAgain}`, status: 429, headers });
  }
  const isRight = await verifyCounted(guess, isPasswordOf(session, user.account.id, password));
  if (!isRight) return ask(request, form, { error: 'This is not your password.', status: 400 });
  await guess.refund();
  return confirmSession(request);
}

/** Marks the session as fresh and replaces its cookie. Returns the request with the new one. */
async function confirmSession(request: SettingsRequest): Promise<SettingsRequest> {
  const { context, res, session, user } = request;
  const secret = await confirmBrowserSession(session, user.sessionId);
  setCookie(context, res, 'session', secret);
  return { ...request, user: { ...user, secretHash: hashSecret(secret) } };
}

const passkeyRefused = 'That passkey was not accepted. Try again, or enter your password.';

type Refusal = { error?: string; status?: number; headers?: Record<string, string> };

async function ask(
  request: SettingsRequest,
  form: URLSearchParams,
  { error, status, headers }: Refusal = {},
): Promise<undefined> {
  const { req, user, csrf, session } = request;
  const passkeys = await listPasskeys(session.em, user.account.id);
  const options = passkeyRequestOptions(passkeySiteOf(request), purpose, passkeys);
  const body = html`<section class="card stack">
<p>This affects the security of your account, and you signed in some time ago.</p>
<form method="post" action="${req.path}" class="stack">
${csrf(req.path)}
${[...withoutProof(form)].map(([name, value]) => hiddenField(name, value))}
${passkeys.length > 0 && passkeyButton({ label: 'Use a passkey', field: passkeyField, options })}
<input type="email" value="${user.account.email}" autocomplete="username" readonly hidden>
${inputField({
  name: passwordField,
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
  errors: error === undefined ? undefined : [error],
  isFirst: passkeys.length === 0,
})}
<div class="row">
<button class="btn primary">Go on</button>
<a class="btn" href="${request.tabPath}">Cancel</a>
</div>
</form>
</section>
`;
  request.sendPage({ title: 'Confirm it’s you', body }, { status, headers });
  return undefined;
}

function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">\n`;
}

/** The original fields of the form. */
function withoutProof(form: URLSearchParams): URLSearchParams {
  const proof = [passwordField, passkeyField, 'csrf_token'];
  return new URLSearchParams([...form].filter(([name]) => !proof.includes(name)));
}
