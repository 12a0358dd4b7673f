import { html } from '#shared/html/html.ts';
import { reversalDays } from '../accounts/account-address.ts';
import { csrfField } from '../browser/csrf.ts';
import { inputField, refusalText } from '../html/form.ts';
import type { Page } from '../html/page.ts';
import { passkeyButton } from '../html/passkey-button.ts';
import type { Exchange } from '../http/route.ts';
import { findAuthenticatorApp } from '../second-factor/authenticator-app-service.ts';
import { listPasskeys } from '../second-factor/passkey-repository.ts';
import { passkeyRequestOptions } from '../second-factor/passkey-service.ts';
import { passkeySiteOf } from '../second-factor/passkey-site.ts';
import { signProof } from './password-proof.ts';
import { pathWithReturn, secondFactorPath, signInPath } from './sign-in-paths.ts';
import type { PasswordProof } from './sign-in-service.ts';

/** `proof`: signed. */
export function pathWithProof(proof: string, returnTo: string): string {
  return `${pathWithReturn(secondFactorPath, returnTo)}&proof=${proof}`;
}

export const secondFactorPurpose = 'second factor';

type SecondFactorForm = Exchange & {
  proof: PasswordProof;
  /** A path of this site, opened after the sign-in. */
  returnTo: string;
  error?: string | undefined;
  isCodeWrong?: boolean | undefined;
};

const wrongCode = 'That code is wrong, or was used before.';
const wrongAppCode =
  'If your app shows it now, wait for the next one; ' +
  'if that is refused, too, correct the clock of the app’s device.';

/** The form for the second factor. It contains a proof of the password instead of the password. */
export async function secondFactorPage(form: SecondFactorForm): Promise<Page> {
  const { context, proof, returnTo, error, isCodeWrong } = form;
  const found = { em: context.em.fork() };
  const passkeys = await listPasskeys(found.em, proof.accountId);
  const hasApp = (await findAuthenticatorApp(found, proof.accountId)) !== undefined;
  const signed = signProof(proof, form);
  const options = passkeyRequestOptions(passkeySiteOf(form), secondFactorPurpose, passkeys);
  const body = html`<div class="stack">
${refusalText(error)}
<form method="post" action="${secondFactorPath}" class="stack"
data-address="${pathWithProof(signed, returnTo)}">
${csrfField(form, secondFactorPath)}
<input type="hidden" name="proof" value="${signed}">
<input type="hidden" name="return_to" value="${returnTo}">
${passkeys.length > 0 && passkeyButton({ label: 'Use a passkey', field: 'passkey', options })}
${inputField({
  name: 'code',
  label: hasApp ? 'Code' : 'Recovery code',
  type: 'text',
  autocomplete: 'one-time-code',
  hint: hasApp
    ? 'The six digits that your authenticator app shows, or one of your recovery codes.'
    : 'If you do not have your passkey: one of your recovery codes.',
  errors: isCodeWrong ? [wrongCode, ...(hasApp ? [wrongAppCode] : [])] : undefined,
  isFirst: passkeys.length === 0,
})}
<button class="btn big primary">Go on</button>
</form>
</div>`;
  const below = html`<p><a href="${pathWithReturn(signInPath, returnTo)}">Start again</a>.
All lost? Contact the operator of this service.</p>
${
  context.mail !== undefined &&
  html`<p>You did not set this up?
The message that told you of it has a link that removes it, for ${reversalDays} days.</p>`
}`;
  return { title: 'One more step', body, layout: { kind: 'card', below } };
}
