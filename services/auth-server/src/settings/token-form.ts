import { invalidField } from '#shared/errors/errors.ts';
import { scopes } from '#shared/scopes.ts';
import { addDays, isCalendarDate, startOfDay } from '#shared/time/calendar-date.ts';
import { inputField } from '../html/form-field.ts';
import type { FormMember, FormProblems } from '../html/form-problems.ts';
import { type Html, html } from '../html/html.ts';
import { newFormNonce } from './form-nonce.ts';
import { checkBoxGroup } from './form-parts.ts';
import { scopeWords } from './scope-words.ts';

export const tokenFormPath = '/settings/api';

/** What the form was sent with, to be shown again. */
export type TokenForm = { name: string; scopes: readonly string[]; expiresOn: string };

export const emptyTokenForm: TokenForm = { name: '', scopes: ['read'], expiresOn: '' };

export const tokenMembers: Readonly<Record<string, FormMember>> = {
  name: { field: 'name', subject: 'The name' },
  scopes: { field: 'scope', says: 'Choose at least one of these.' },
  expiresAt: { field: 'expires_on', subject: 'The last day' },
};

export function readTokenForm(form: URLSearchParams): TokenForm {
  return {
    name: form.get('name') ?? '',
    scopes: form.getAll('scope'),
    expiresOn: form.get('expires_on') ?? '',
  };
}

/** What a token is made from: it lives to the end of its last day in the account's zone. Throws validation_error. */
export function tokenInput({ name, scopes: wanted, expiresOn }: TokenForm, timeZone: string): unknown {
  if (expiresOn === '') return { name, scopes: wanted, expiresAt: null };
  // The calendar ends with the year 9999, and its last day has no end in it.
  if (!isCalendarDate(expiresOn) || expiresOn === '9999-12-31')
    throw invalidField('expiresAt', 'expiresAt must be a date, or left empty');
  const expiresAt = startOfDay(addDays(expiresOn, 1), timeZone).toISOString();
  return { name, scopes: wanted, expiresAt };
}

export function tokenForm(
  { name, scopes: ticked, expiresOn }: TokenForm,
  { csrf, problems = {} }: { csrf: Html; problems?: FormProblems | undefined },
): Html {
  return html`<form method="post" action="${tokenFormPath}" class="stack">
${csrf}
<input type="hidden" name="nonce" value="${newFormNonce()}">
${inputField({
  name: 'name',
  label: 'Name',
  type: 'text',
  autocomplete: 'off',
  hint: 'What the token is for, such as “backup script”.',
  value: name,
  problems: problems.name,
})}
${checkBoxGroup({
  name: 'scope',
  label: 'What it may do',
  boxes: scopes.map((scope) => ({
    value: scope,
    text: html`<b>${scopeWords[scope].name}</b>: ${scopeWords[scope].meaning}`,
    isTicked: ticked.includes(scope),
  })),
  problem: problems.scope?.join(' '),
})}
${inputField({
  name: 'expires_on',
  label: 'Last day (optional)',
  type: 'date',
  autocomplete: 'off',
  isOptional: true,
  hint: 'Without one, the token counts until you revoke it.',
  value: expiresOn,
  problems: problems.expires_on,
})}
<button class="primary">Create the token</button>
</form>
`;
}
