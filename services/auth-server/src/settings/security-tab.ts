import { AppError, type FieldErrors } from '#shared/errors/app-error.ts';
import { type Html, html } from '#shared/html/html.ts';
import { queryOf } from '#shared/http/request-input.ts';
import { lacksSecondFactor, ownerOf } from '../browser/browser-session-service.ts';
import { describeUserAgent } from '../browser/describe-user-agent.ts';
import { type FormMember, fieldErrors, guardedButton, inputField, refusalText } from '../html/form.ts';
import { passkeyButton } from '../html/passkey-button.ts';
import { formatTimestamp, untrustedText } from '../html/text.ts';
import { findAuthenticatorApp } from '../second-factor/authenticator-app-service.ts';
import { listPasskeys, type UsedPasskey } from '../second-factor/passkey-repository.ts';
import { addPasskey, maximumPasskeyName, passkeyCreationOptions } from '../second-factor/passkey-service.ts';
import { passkeySiteOf } from '../second-factor/passkey-site.ts';
import { findRecoveryCodes, recoveryCodeCount } from '../second-factor/recovery-code-service.ts';
import {
  firstRecoveryCodes,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '../second-factor/second-factor-service.ts';
import { countNewCodes } from '../sign-in/sign-in-limits.ts';
import { securityPath as path, readReturnPath } from '../sign-in/sign-in-paths.ts';
import { askForApp, setUpApp } from './authenticator-setup.ts';
import { whenFresh } from './fresh-sign-in.ts';
import { recoveryCodesPage } from './recovery-codes-page.ts';
import { appSetUpPath, confirmAppPath, passwordFormPlace } from './security-paths.ts';
import type { SettingsRequest, SettingsTab } from './settings-tab.ts';

const passkeysPath = `${path}/passkeys`;
const removeAppPath = `${path}/authenticator/remove`;
const codesPath = `${path}/recovery-codes`;

export const securityTab: SettingsTab = {
  path,
  label: 'Security',
  icon: 'lock',
  isForIncompleteSignIn: true,
  notices: {
    'passkey-added': 'The passkey is added.',
    'passkey-removed': 'The passkey is removed: it can no longer be used to sign in.',
    'app-added': 'The authenticator app is set up.',
    'app-known':
      'The authenticator app was set up before. ' +
      'Its recovery codes are shown once: if you have not kept them, make new ones below.',
    'codes-made':
      'New codes were made before, and are shown once: if you have not kept them, make new ones below.',
    'app-removed': 'The authenticator app is turned off.',
    'last-removed':
      'It is removed. ' +
      'It was the last one: there is no second factor now, and the recovery codes no longer work.',
  },
  show: (request) => {
    const returnTo = readReturnPath(queryOf(request.req).get('return_to'));
    return showSecurity(request, { returnTo });
  },
  forms: {
    [passkeysPath]: whenFresh(savePasskey),
    [`${passkeysPath}/:passkeyId/remove`]: whenFresh(async ({ session, user, id, done }) => {
      const isOneLeft = await removeSecondFactor(session, user.account.id, id('passkeyId'));
      done(isOneLeft ? 'passkey-removed' : 'last-removed');
    }),
    [appSetUpPath]: whenFresh(askForApp),
    [confirmAppPath]: whenFresh(setUpApp),
    [removeAppPath]: whenFresh(async ({ session, user, done }) => {
      const isOneLeft = await removeSecondFactor(session, user.account.id);
      done(isOneLeft ? 'app-removed' : 'last-removed');
    }),
    [codesPath]: whenFresh(makeNewCodes),
  },
};

async function makeNewCodes(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  const { context, session, user } = request;
  // A resubmitted form must not replace the codes that were just written down.
  const { left, mark } = await findRecoveryCodes(session, user.account.id);
  if (left > 0 && form.get('present') !== mark) return request.done('codes-made');
  const attempt = await countNewCodes(context, user.account.id);
  if (!attempt.isAllowed) throw new AppError('rate_limited', { headers: attempt.headers });
  const codes = await replaceRecoveryCodes(session, ownerOf(user), mark);
  if (codes === undefined) return request.done('codes-made');
  request.sendPage(recoveryCodesPage(codes, path));
}

const passkeyMembers: Readonly<Record<string, FormMember>> = { name: { field: 'name', subject: 'The name' } };

async function savePasskey(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  const { session, user } = request;
  const owner = ownerOf(user);
  const typed = form.get('name')?.trim() ?? '';
  const name = typed === '' ? describeUserAgent(session.origin.userAgent) : typed;
  const returnTo = readReturnPath(form.get('return_to'));
  let isAdded: boolean;
  try {
    isAdded = await addPasskey(session, passkeySiteOf(request), owner, form.get('passkey') ?? '', { name });
  } catch (error) {
    const errors = fieldErrors(error, passkeyMembers);
    return showSecurity(request, { name: typed, returnTo, errors }, 400);
  }
  if (!isAdded) {
    const error = 'The passkey was not accepted. Please try again.';
    return showSecurity(request, { name: typed, returnTo, error }, 400);
  }
  const codes = await firstRecoveryCodes(session, owner);
  if (codes === undefined) return request.done('passkey-added');
  request.sendPage(recoveryCodesPage(codes, returnTo ?? path));
}

type SentPasskey = { name?: string; returnTo?: string | undefined; errors?: FieldErrors; error?: string };

const factorNeeded = html`<p class="warning">This service requires a second factor.
Add a passkey or set up an authenticator app to continue.</p>`;

async function showSecurity(request: SettingsRequest, sent: SentPasskey, status = 200): Promise<void> {
  const { context, session, user } = request;
  const { id } = user.account;
  const passkeys = await listPasskeys(session.em, id);
  const app = await findAuthenticatorApp(session, id);
  const codes = await findRecoveryCodes(session, id);
  const hasOne = passkeys.length > 0 || app !== undefined;
  const isNeeded = lacksSecondFactor(context, user);
  const entries = passkeys.map((passkey) => passkeyEntry(request, passkey));
  const body = html`${isNeeded && factorNeeded}
<p>With a passkey or an authenticator app, nobody can sign in with your password alone.</p>
<section class="card stack">
<h2>Passkeys</h2>
<p>Sign in with your fingerprint, your face or the PIN of your device: no password to type, none to steal.</p>
${entries.length > 0 && html`<ul class="list">${entries}</ul>`}
${await passkeyForm(request, sent)}
</section>
<section class="card stack">
<h2>Authenticator app</h2>
${app === undefined ? appOff(request, sent) : appOn(request, app)}
</section>
${hasOne && recoveryCodes(request, codes)}
${!isNeeded && html`<p><a href="${passwordFormPlace}">Change your password</a></p>`}
<p class="hint">What you change here leaves other browsers signed in:
end their sessions under <a href="/settings/sessions">Sessions</a>.</p>`;
  request.sendPage({ title: 'Security', body }, { status });
}

/** The return path of a user who had to set up a second factor. */
function returnField({ returnTo }: SentPasskey): Html | undefined {
  return returnTo === undefined
    ? undefined
    : html`<input type="hidden" name="return_to" value="${returnTo}">`;
}

function passkeyEntry({ user, csrf }: SettingsRequest, passkey: UsedPasskey): Html {
  const { timezone } = user.account;
  const { id, name, createdAt, lastUsedAt } = passkey;
  const action = `${passkeysPath}/${id}/remove`;
  return html`<li class="stack">
<h3>${untrustedText(name)}</h3>
<dl>
<dt>Created</dt> <dd>${formatTimestamp(createdAt, timezone)}</dd>
<dt>Last used</dt> <dd>${lastUsedAt === null ? 'Never' : formatTimestamp(lastUsedAt, timezone)}</dd>
</dl>
${guardedButton({
  opener: 'Remove…',
  consequence: 'It can’t be used to sign in any more. Delete it on your device, too.',
  button: 'Remove this passkey',
  name,
  action,
  csrf: csrf(action),
})}
</li>
`;
}

async function passkeyForm(request: SettingsRequest, sent: SentPasskey): Promise<Html> {
  const { name, errors, error } = sent;
  const options = await passkeyCreationOptions(request.session, passkeySiteOf(request), request.user.account);
  return html`<form method="post" action="${passkeysPath}" class="stack scripted">
${request.csrf(passkeysPath)}
${returnField(sent)}
${refusalText(error)}
${inputField({
  name: 'name',
  label: 'Name (optional)',
  type: 'text',
  autocomplete: 'off',
  hint: 'Where the passkey is kept, such as “my phone”.',
  isOptional: true,
  // A refusal after the device created the passkey would leave a useless one there.
  maximumLength: maximumPasskeyName,
  value: name,
  errors: errors?.name,
})}
${passkeyButton({ label: 'Add a passkey', field: 'passkey', options, makesOne: true })}
</form>
<noscript><p class="hint">A passkey can only be added with JavaScript turned on.</p></noscript>`;
}

function appOff(request: SettingsRequest, sent: SentPasskey): Html {
  return html`<p>An app on your phone shows a code of six digits that you type after your password.</p>
<form method="post" action="${appSetUpPath}" class="stack">
${request.csrf(appSetUpPath)}
${returnField(sent)}
<button class="btn">Set up an authenticator app</button>
</form>`;
}

function appOn({ user, csrf }: SettingsRequest, { createdAt }: { createdAt: Date }): Html {
  return html`<p>On since ${formatTimestamp(createdAt, user.account.timezone)}.</p>
<form method="post" action="${appSetUpPath}">
${csrf(appSetUpPath)}
<button class="btn">Set up another app instead</button>
</form>
${guardedButton({
  opener: 'Turn off…',
  consequence: 'Its codes are no longer asked for, and no longer accepted.',
  button: 'Turn the authenticator app off',
  action: removeAppPath,
  csrf: csrf(removeAppPath),
})}`;
}

type RecoveryCodes = Awaited<ReturnType<typeof findRecoveryCodes>>;

function recoveryCodes({ csrf }: SettingsRequest, { left, mark }: RecoveryCodes): Html {
  const isLow = left < 4;
  return html`<section class="card stack">
<h2>Recovery codes</h2>
<p${isLow && html` class="warning"`}>You have ${left} of ${recoveryCodeCount} codes left.
Each can be used once if your passkey or app is lost.</p>
<form method="post" action="${codesPath}">
${csrf(codesPath)}
<input type="hidden" name="present" value="${mark}">
<button class="btn">Make new codes</button>
</form>
<p class="hint">New codes replace the earlier ones.</p>
</section>
`;
}
