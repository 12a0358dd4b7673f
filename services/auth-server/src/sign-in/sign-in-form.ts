import type { Request, Response } from 'express';
import { csrfField } from '../browser/trusted-form.ts';
import type { Context } from '../context.ts';
import { inputField } from '../html/form-field.ts';
import { type Html, html } from '../html/html.ts';
import { askingApp } from './asking-app.ts';
import { pathWithReturn, signInPath, signUpPath } from './sign-in-paths.ts';

export type SignInFormOptions = {
  context: Context;
  req: Request;
  res: Response;
  /** Where a successful sign-in leads: a path of ours. */
  returnTo: string;
  email?: string;
  /** Why the last attempt failed. */
  problem?: string;
  /** What the app calls itself that waits for the sign-in. */
  clientName?: string | undefined;
};

/** The body of a sign-in page, below its heading. */
export function signInForm(options: SignInFormOptions): Html {
  const { context, req, res, returnTo, email, problem, clientName } = options;
  return html`${clientName !== undefined && askingApp(clientName, 'Sign in')}
<div class="card narrow stack">
${problem !== undefined && html`<p class="error" role="alert">${problem}</p>`}
<form method="post" action="${signInPath}" class="stack">
${csrfField(context, req, res, signInPath)}
<input type="hidden" name="return_to" value="${returnTo}">
${inputField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email })}
${inputField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button class="primary">Sign in</button>
</form>
${context.config.signUp === 'open' && html`<p>No account yet? <a href="${pathWithReturn(signUpPath, returnTo)}">Create one</a></p>`}
</div>`;
}
