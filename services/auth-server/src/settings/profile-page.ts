import { isTimeZone } from '#shared/time/calendar-date.ts';
import { foreignText } from '../html/foreign-text.ts';
import { inputField, selectField } from '../html/form-field.ts';
import type { FormProblems } from '../html/form-problems.ts';
import { type Html, html } from '../html/html.ts';
import { timeZoneOptions } from '../html/time-zone-options.ts';
import type { SettingsPage, SettingsRequest } from './settings-request.ts';

export const timezoneFormPath = '/settings/timezone';
export const passwordFormPath = '/settings/password';

export type ProfileForm = {
  /** As it was sent; else the account's. */
  timezone?: string | undefined;
  revokeApiTokens?: boolean;
  problems?: FormProblems;
};

/** Passwords that were sent are not sent back. */
export function profilePage({ visitor, csrf }: SettingsRequest, form: ProfileForm = {}): SettingsPage {
  const { account } = visitor;
  const isActive = account.status === 'active';
  const body = html`<section class="card stack">
<h2>Account</h2>
<dl>
<dt>E-mail address</dt> <dd>${foreignText(account.email)}</dd>
<dt>Plan</dt> <dd>${account.plan === 'premium' ? 'Premium' : 'Free'}</dd>
${!isActive && html`<dt>Time zone</dt> <dd>${account.timezone}</dd>`}
</dl>
</section>
${isActive && [timezoneForm(account.timezone, csrf(timezoneFormPath), form), passwordForm(account.email, csrf(passwordFormPath), form)]}`;
  return { title: 'Profile', body };
}

function timezoneForm(current: string, csrf: Html, { timezone = current, problems }: ProfileForm): Html {
  return html`<section class="card stack">
<h2>Time zone</h2>
<form method="post" action="${timezoneFormPath}" class="stack">
${csrf}
${selectField({
  name: 'timezone',
  label: 'Time zone',
  hint: 'Decides when your day begins: what is due today, and when tasks repeat.',
  problems: problems?.timezone,
  choices: timeZoneOptions(isTimeZone(timezone) ? timezone : current),
})}
<button class="primary">Save the time zone</button>
</form>
</section>
`;
}

function passwordForm(email: string, csrf: Html, { problems, revokeApiTokens = false }: ProfileForm): Html {
  return html`<section class="card stack">
<h2>Password</h2>
<p>A new password signs out all other browsers and disconnects all apps. They have to sign in and be connected again.</p>
<form method="post" action="${passwordFormPath}" class="stack">
${csrf}
<input type="email" name="email" value="${email}" autocomplete="username" readonly hidden>
${inputField({
  name: 'current_password',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
  problems: problems?.current_password,
})}
${inputField({
  name: 'new_password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 8 characters. A few words in a row are easy to remember and hard to guess.',
  problems: problems?.new_password,
})}
<label class="choice">
<input type="checkbox" name="revoke_tokens" value="yes"${revokeApiTokens && html` checked`}>
<span>Also revoke my personal tokens</span>
</label>
<button class="danger">Change the password</button>
</form>
</section>
`;
}
