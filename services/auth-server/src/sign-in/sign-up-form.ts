import type { Request, Response } from 'express';
import { csrfField } from '../browser/trusted-form.ts';
import type { Context } from '../context.ts';
import { inputField, selectField } from '../html/form-field.ts';
import type { FormProblems } from '../html/form-problems.ts';
import { type Html, html } from '../html/html.ts';
import { timeZoneOptions } from '../html/time-zone-options.ts';
import { askingApp } from './asking-app.ts';
import { pathWithReturn, signInPath, signUpPath } from './sign-in-paths.ts';

export type SignUpFormOptions = {
  context: Context;
  req: Request;
  res: Response;
  /** Where a successful sign-up leads: a path of ours. */
  returnTo: string;
  email?: string;
  /** Undefined until one was chosen. */
  timezone?: string | undefined;
  problems?: FormProblems;
  /** Why nothing was tried. */
  refusal?: string;
  /** What the app calls itself that waits for the sign-up. */
  clientName?: string | undefined;
};

/** The body of a sign-up page, below its heading. A password that was sent is not sent back. */
export function signUpForm(options: SignUpFormOptions): Html {
  const { context, req, res, returnTo, email, problems = {}, refusal, clientName } = options;
  return html`${clientName !== undefined && askingApp(clientName, 'Create an account')}
<div class="card narrow stack">
${refusal !== undefined && html`<p class="error" role="alert">${refusal}</p>`}
<form method="post" action="${signUpPath}" class="stack">
${csrfField(context, req, res, signUpPath)}
<input type="hidden" name="return_to" value="${returnTo}">
${inputField({
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  autocomplete: 'username',
  value: email,
  problems: problems.email,
})}
${inputField({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 8 characters. A few words in a row are easy to remember and hard to guess.',
  problems: problems.password,
})}
${timezoneField(options)}
<button class="primary">Create the account</button>
</form>
<p>You have an account? <a href="${pathWithReturn(signInPath, returnTo)}">Sign in</a></p>
</div>`;
}

/** Where nothing was chosen yet, page.js chooses the browser's own zone. */
function timezoneField({ timezone, problems }: SignUpFormOptions): Html {
  return selectField({
    name: 'timezone',
    label: 'Time zone',
    hint: 'Decides when your day begins. You can change it later.',
    problems: problems?.timezone,
    choices: timeZoneOptions(timezone ?? 'UTC'),
    attributes: timezone === undefined ? html` data-own-time-zone` : undefined,
  });
}
