import { createHmac, randomUUID } from 'node:crypto';
import type { FieldErrors } from '#shared/errors/app-error.ts';
import { type Html, html } from '#shared/html/html.ts';
import { scopes } from '#shared/scopes.ts';
import { endOfDay, isCalendarDate } from '#shared/time/calendar-date.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { type FormMember, inputField, scopeBoxes } from '../html/form.ts';
import { derivedUuid } from '../keys/derived-uuid.ts';

/** The submitted values, to show the form again. */
export type TokenForm = { name: string; scopes: readonly string[]; expiresOn: string };

export const emptyTokenForm: TokenForm = { name: '', scopes: ['read'], expiresOn: '' };

export const tokenMembers: Readonly<Record<string, FormMember>> = {
  name: { field: 'name', subject: 'The name' },
  scopes: { field: 'scope', message: 'Choose at least one of these.' },
  expiresAt: { field: 'expires_on', message: 'Enter today or a later day, or leave it empty.' },
};

export function readTokenForm(form: URLSearchParams): TokenForm {
  return {
    name: form.get('name') ?? '',
    scopes: form.getAll('scope'),
    expiresOn: form.get('expires_on') ?? '',
  };
}

/**
 * The input of `createApiToken`, which refuses an invalid date: the token expires at the end of its last day
 * in the time zone.
 */
export function tokenInput({ name, scopes: wanted, expiresOn }: TokenForm, timeZone: string): unknown {
  if (expiresOn === '') return { name, scopes: wanted, expiresAt: null };
  const isDay = isCalendarDate(expiresOn);
  return { name, scopes: wanted, expiresAt: isDay ? endOfDay(expiresOn, timeZone).toISOString() : expiresOn };
}

export function tokenForm(
  { name, scopes: ticked, expiresOn }: TokenForm,
  { action, csrf, errors = {} }: { action: string; csrf: Html; errors?: FieldErrors | undefined },
): Html {
  return html`<form method="post" action="${action}" class="stack">
${csrf}
<input type="hidden" name="nonce" value="${randomUUID()}">
${inputField({
  name: 'name',
  label: 'Name',
  type: 'text',
  autocomplete: 'off',
  hint: 'What the token is for, such as “backup script”.',
  value: name,
  errors: errors.name,
})}
${scopeBoxes({
  label: 'What it may do',
  offered: scopes,
  isTicked: (scope) => ticked.includes(scope),
  error: errors.scope?.join(' '),
})}
${inputField({
  name: 'expires_on',
  label: 'Last day (optional)',
  type: 'date',
  autocomplete: 'off',
  isOptional: true,
  hint: 'Without one, the token is valid until you revoke it.',
  value: expiresOn,
  errors: errors.expires_on,
})}
<button class="btn primary">Create the token</button>
</form>
`;
}

/**
 * The id of the token that a form with this nonce creates: always the same, so that a resubmitted form
 * creates no second token. The HMAC prevents clients from choosing ids. undefined for an invalid nonce.
 */
export function tokenIdOf(pageSecret: Buffer, accountId: string, nonce: string): string | undefined {
  if (!isUuid(nonce)) return undefined;
  const form = `api-token\n${accountId}\n${nonce.toLowerCase()}`;
  return derivedUuid(createHmac('sha256', pageSecret).update(form).digest('hex'));
}
