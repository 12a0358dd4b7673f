import type { Request, Response } from 'express';
import { csrfField } from '../browser/csrf.ts';
import type { Context } from '../context.ts';
import { inputField, refusalText } from '../html/form.ts';
import { html } from '../html/html.ts';
import type { Page } from '../html/page.ts';
import { passkeyButton } from '../html/passkey-button.ts';
import { findAuthenticatorApp } from '../second-factor/authenticator-app-service.ts';
import { allowedPasskey, listPasskeys, passkeyRequestOptions } from '../second-factor/passkey-service.ts';
import { passkeySiteOf } from '../second-factor/passkey-site.ts';
import { proofSigning, signProof } from './password-proof.ts';
import { pathWithReturn, secondFactorPath, signInPath } from './sign-in-paths.ts';
import type { PasswordProof } from './sign-in-service.ts';

export const secondFactorPurpose = 'second factor';

type SecondFactorForm = {
  context: Context;
  req: Request;
  res: Response;
  proof: PasswordProof;
  /** An own path, opened after the sign-in. */
  returnTo: string;
  error?: string | undefined;
  codeError?: string | undefined;
};

/** What is asked for after the password. It holds the proof of the password, not the password. */
export async function secondFactorPage({
  context,
  req,
  res,
  proof,
  returnTo,
  error,
  codeError,
}: SecondFactorForm): Promise<Page> {
  const found = { em: context.em.fork() };
  const passkeys = await listPasskeys(found, proof.accountId);
  const hasApp = (await findAuthenticatorApp(found, proof.accountId)) !== undefined;
  const signed = signProof(proof, proofSigning(context, req, res));
  const options = {
    ...passkeyRequestOptions(passkeySiteOf(context, req, res), secondFactorPurpose),
    allowCredentials: passkeys.map(allowedPasskey),
  };
  const body = html`<div class="stack">
${refusalText(error)}
<form method="post" action="${secondFactorPath}" class="stack">
${csrfField(context, req, res, secondFactorPath)}
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
  errors: codeError === undefined ? undefined : [codeError],
  isFirst: passkeys.length === 0,
})}
<button class="btn big primary">Go on</button>
</form>
</div>`;
  const below = html`<a href="${pathWithReturn(signInPath, returnTo)}">Start again</a>. All lost? Contact the operator of this service.`;
  return { title: 'One more step', body, layout: { kind: 'card', below } };
}
