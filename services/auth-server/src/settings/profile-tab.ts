import { AppError, type FieldErrors } from '#shared/errors/app-error.ts';
import { type Html, html } from '#shared/html/html.ts';
import { readTheme } from '#shared/http/request-cookies.ts';
import { isTimeZone } from '#shared/time/calendar-date.ts';
import { changePassword, changeProfile } from '../accounts/account-service.ts';
import { cancelAddressChange } from '../accounts/address-change-service.ts';
import { clearCookie, setCookie } from '../browser/browser-cookies.ts';
import { ownerOf } from '../browser/browser-session-service.ts';
import { type FormMember, fieldErrors, inputField, newPasswordField, selectField } from '../html/form.ts';
import { untrustedText } from '../html/text.ts';
import { timeZoneOptions } from '../html/time-zone-options.ts';
import { countSignIn } from '../sign-in/sign-in-limits.ts';
import { forgotPath, securityPath } from '../sign-in/sign-in-paths.ts';
import {
  type AddressForm,
  addressCard,
  addressFormPath,
  cancelAddressPath,
  requestAddressChange,
} from './address-form.ts';
import { whenFresh } from './fresh-sign-in.ts';
import type { SettingsPage, SettingsRequest, SettingsTab } from './settings-tab.ts';

const timezoneFormPath = '/settings/timezone';
const themeFormPath = '/settings/theme';
const passwordFormPath = '/settings/password';

export const profileTab: SettingsTab = {
  path: '/settings',
  label: 'Profile',
  icon: 'person',
  notices: {
    'address-asked':
      'A message to the new address is on its way. Your address changes when you open the link in it.',
    'address-cancelled': 'Your address stays as it is: the link that was sent no longer works.',
    'timezone-saved': 'Your time zone is saved.',
    'theme-saved': 'Saved for this browser.',
    'password-changed':
      'Your password has been changed. All apps are disconnected, and all other browsers are signed out.',
    'password-changed-tokens-revoked':
      'Your password has been changed. ' +
      'All apps are disconnected, all other browsers are signed out, and your personal tokens are revoked.',
  },
  show: async (request) => request.sendPage(await profilePage(request)),
  forms: {
    [addressFormPath]: whenFresh(askForAddress),
    [cancelAddressPath]: async ({ session, user, done }) => {
      await cancelAddressChange(session, ownerOf(user));
      done('address-cancelled');
    },
    [timezoneFormPath]: saveTimezone,
    [themeFormPath]: async ({ context, res, done }, form) => {
      const [theme] = themes.find(([value]) => value === form.get('theme')) ?? [];
      if (theme === undefined) clearCookie(context, res, 'theme');
      else setCookie(context, res, 'theme', theme);
      done('theme-saved');
    },
    [passwordFormPath]: savePassword,
  },
};

const members: Readonly<Record<string, FormMember>> = {
  timezone: { field: 'timezone', message: 'Choose one of the time zones in the list.' },
  currentPassword: { field: 'current_password', subject: 'This' },
  newPassword: { field: 'new_password', subject: 'The new password' },
};

async function askForAddress(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  if (request.context.mail === undefined) return request.sendPage(await profilePage(request));
  const address = await requestAddressChange(request, form);
  if (address === undefined) return request.done('address-asked');
  const { headers } = address;
  const status = headers === undefined ? 400 : 429;
  request.sendPage(await profilePage(request, { address }), { status, headers });
}

async function saveTimezone(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  const timezone = form.get('timezone') ?? undefined;
  try {
    await changeProfile(request.session, request.user.account.id, { timezone });
  } catch (error) {
    const errors = fieldErrors(error, members);
    return request.sendPage(await profilePage(request, { timezone, errors }), { status: 400 });
  }
  request.done('timezone-saved');
}

async function savePassword(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  const { context, req, res, session, user } = request;
  const revokeApiTokens = form.has('revoke_tokens');
  const guess = await countSignIn(context, req, user.account.email);
  if (!guess.isAllowed) {
    const error = `A wrong password was given too often. ${guess.tryAgain}`;
    const page = await profilePage(request, { revokeApiTokens, errors: { current_password: [error] } });
    return request.sendPage(page, { status: 429, headers: guess.headers });
  }
  const input = {
    currentPassword: form.get('current_password') ?? undefined,
    newPassword: form.get('new_password') ?? undefined,
    revokeApiTokens,
  };
  try {
    const secret = await changePassword(session, user.account.id, input, user.sessionId);
    setCookie(context, res, 'session', secret);
  } catch (error) {
    const isWrongGuess = error instanceof AppError && error.errors?.currentPassword !== undefined;
    if (!isWrongGuess) await guess.refund();
    const errors = fieldErrors(error, members);
    return request.sendPage(await profilePage(request, { revokeApiTokens, errors }), { status: 400 });
  }
  await guess.refund();
  request.done(revokeApiTokens ? 'password-changed-tokens-revoked' : 'password-changed');
}

type ProfileForm = {
  address?: AddressForm;
  /** The submitted value, or the account's. */
  timezone?: string | undefined;
  revokeApiTokens?: boolean;
  errors?: FieldErrors;
};

/** Submitted passwords are not returned. */
async function profilePage(request: SettingsRequest, form: ProfileForm = {}): Promise<SettingsPage> {
  const { user, csrf } = request;
  const { email, plan, status, timezone } = user.account;
  const isActive = status === 'active';
  const body = html`<section class="card stack">
<h2>Account</h2>
<dl>
<dt>E-mail address</dt> <dd>${untrustedText(email)}</dd>
<dt>Plan</dt> <dd>${plan === 'premium' ? 'Premium' : 'Free'}</dd>
${!isActive && html`<dt>Time zone</dt> <dd>${timezone}</dd>`}
</dl>
</section>
${isActive && (await addressCard(request, form.address))}
${isActive && timezoneForm(timezone, csrf(timezoneFormPath), form)}
${themeForm(request)}
${isActive ? passwordForm(email, csrf(passwordFormPath), form) : suspendedPassword(request.context)}`;
  return { title: 'Profile', body };
}

function suspendedPassword({ mail }: SettingsRequest['context']): Html {
  const byOperator = html`The operator of this service can give you a link to choose another one.`;
  const byMail = html`<a href="${forgotPath}">Have a link sent to you</a> to choose another one.`;
  return html`<section class="card stack" id="password">
<h2>Password</h2>
<p>${mail === undefined ? byOperator : byMail}</p>
</section>
`;
}

function timezoneForm(current: string, csrf: Html, { timezone = current, errors }: ProfileForm): Html {
  return html`<section class="card stack">
<h2>Time zone</h2>
<form method="post" action="${timezoneFormPath}" class="stack">
${csrf}
${selectField({
  name: 'timezone',
  label: 'Time zone',
  hint:
    'Decides when your day begins: what is due today, and when tasks repeat. ' +
    'Reminders and the digest move with it. ' +
    'A reminder whose time is past in the new zone is not sent.',
  errors: errors?.timezone,
  choices: timeZoneOptions(isTimeZone(timezone) ? timezone : current),
})}
<button class="btn primary">Save the time zone</button>
</form>
</section>
`;
}

const themes = [
  [undefined, 'As the device'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

function themeForm({ req, csrf }: SettingsRequest): Html {
  const theme = readTheme(req);
  const choices = themes.map(
    ([value, label]) =>
      html`<option value="${value ?? ''}"${value === theme && html` selected`}>${label}</option>`,
  );
  return html`<section class="card stack" id="appearance">
<h2>Light or dark</h2>
<form method="post" action="${themeFormPath}" class="stack">
${csrf(themeFormPath)}
${selectField({
  name: 'theme',
  label: 'Appearance',
  hint: 'In this browser, here and in the app.',
  choices: html`${choices}`,
})}
<button class="btn">Save</button>
</form>
</section>
`;
}

function passwordForm(email: string, csrf: Html, { errors, revokeApiTokens = false }: ProfileForm): Html {
  return html`<section class="card stack" id="password">
<h2>Password</h2>
<p>A new password signs out all other browsers and disconnects all apps.
They have to sign in or be connected again.
Passkeys and authenticator apps stay:
remove those you do not know under <a href="${securityPath}">Security</a>.</p>
<form method="post" action="${passwordFormPath}" class="stack">
${csrf}
<input type="email" name="email" value="${email}" autocomplete="username" readonly hidden>
${inputField({
  name: 'current_password',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
  errors: errors?.current_password,
})}
${newPasswordField({ name: 'new_password', label: 'New password', errors: errors?.new_password })}
<label class="choice">
<input type="checkbox" name="revoke_tokens" value="yes"${revokeApiTokens && html` checked`}>
<span>Also revoke my personal tokens</span>
</label>
<button class="btn danger">Change the password</button>
</form>
</section>
`;
}
