import { type Html, html } from '#shared/html/html.ts';
import type { Context } from '../context.ts';
import { type FormMember, selectField } from '../html/form.ts';
import { PageError } from '../html/page-error.ts';
import { timeZoneOptions } from '../html/time-zone-options.ts';

export const signUpMembers: Readonly<Record<string, FormMember>> = {
  email: { field: 'email', subject: 'This' },
  password: { field: 'password', subject: 'The password' },
  timezone: { field: 'timezone', message: 'Choose one of the time zones in the list.' },
};

/** Throws PageError. */
export function requireOpenSignUp({ config }: Context): void {
  if (config.signUp === 'open') return;
  throw new PageError({
    status: 403,
    title: 'Sign-up is closed',
    message: 'Accounts are created by the operator of this service. Ask them for one.',
  });
}

/** By default the page's script chooses the browser's zone. */
export function timezoneField(timezone: string | undefined, errors: readonly string[] | undefined): Html {
  return selectField({
    name: 'timezone',
    label: 'Time zone',
    hint: 'Decides when your day begins. You can change it later.',
    errors,
    choices: timeZoneOptions(timezone ?? 'UTC'),
    attributes: timezone === undefined ? html` data-own-time-zone` : undefined,
  });
}
