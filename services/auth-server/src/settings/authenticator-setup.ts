import { encode } from 'uqr';
import { type Html, html } from '#shared/html/html.ts';
import { ownerOf } from '../browser/browser-session-service.ts';
import { inputField } from '../html/form.ts';
import { productName } from '../html/text.ts';
import { KeySecretError } from '../keys/signing-key.ts';
import { setAuthenticatorApp } from '../second-factor/authenticator-app-service.ts';
import { describeSecret, makeAuthenticatorSecret } from '../second-factor/authenticator-code.ts';
import { firstRecoveryCodes } from '../second-factor/second-factor-service.ts';
import { readReturnPath, securityPath, withReturn } from '../sign-in/sign-in-paths.ts';
import { recoveryCodesPage } from './recovery-codes-page.ts';
import { confirmAppPath } from './security-paths.ts';
import type { SettingsRequest } from './settings-tab.ts';

/** Shows a new secret to scan. Nothing is stored before its first code is verified. */
export async function askForApp(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  sendSetUp(request, { secret: makeAuthenticatorSecret(), returnTo: form.get('return_to') });
}

export async function setUpApp(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  const { context, session, user } = request;
  const owner = ownerOf(user);
  const returnTo = form.get('return_to');
  const secret = openSecret(request, form.get('secret') ?? '');
  if (secret === undefined) return askForApp(request, form);
  const code = form.get('code') ?? '';
  const outcome = await setAuthenticatorApp(session, context.authenticatorCipher, {
    owner,
    secret,
    code,
  });
  // The form was resubmitted.
  if (outcome === 'known') return request.done('app-known');
  if (outcome === 'wrong-code')
    return sendSetUp(
      request,
      {
        secret,
        returnTo,
        error:
          'This is not the code that the app should show now. If it does, correct the clock of its device.',
      },
      400,
    );
  const codes = await firstRecoveryCodes(session, owner);
  if (codes === undefined) return request.done('app-added');
  request.sendPage(recoveryCodesPage(codes, readReturnPath(returnTo) ?? securityPath));
}

type SetUp = { secret: Buffer; returnTo: string | null; error?: string };

function sendSetUp(request: SettingsRequest, { secret, returnTo, error }: SetUp, status = 200): void {
  const { context, user, csrf } = request;
  const { host } = new URL(context.config.baseUrl);
  const { email } = user.account;
  const { uri, text } = describeSecret(secret, {
    issuer: `${productName} (${host.replace(':', ' ')})`,
    email,
  });
  const address = withReturn(securityPath, readReturnPath(returnTo));
  const body = html`<section class="card stack" data-address="${address}">
<p>Open your authenticator app and scan this code.</p>
${qrCode(uri, 'The secret of your account, to be scanned by an authenticator app')}
<p>The app is on this device? <a href="${uri}">Open it with the key</a>.</p>
<p>No camera? Type this key into the app: <code class="secret" id="key">${text}</code></p>
<div class="row" data-copy="#key"></div>
<form method="post" action="${confirmAppPath}" class="stack">
${csrf(confirmAppPath)}
<input type="hidden" name="secret" value="${sealSecret(request, secret)}">
${returnTo !== null && html`<input type="hidden" name="return_to" value="${returnTo}">`}
${inputField({
  name: 'code',
  label: 'Code',
  type: 'text',
  autocomplete: 'one-time-code',
  inputMode: 'numeric',
  hint: 'The six digits that the app now shows.',
  errors: error === undefined ? undefined : [error],
})}
<div class="row">
<button class="btn primary">Turn it on</button>
<a class="btn" href="${address}">Cancel</a>
</div>
</form>
</section>
`;
  request.sendPage({ title: 'Set up an authenticator app', body }, { status });
}

/** The form contains the secret, signed by this service for this account. */
function sealSecret({ context, user }: SettingsRequest, secret: Buffer): string {
  return context.authenticatorCipher.encrypt(`set-up of ${user.account.id}`, secret).toString('base64url');
}

function openSecret({ context, user }: SettingsRequest, sealed: string): Buffer | undefined {
  try {
    return context.authenticatorCipher.decrypt(
      `set-up of ${user.account.id}`,
      Buffer.from(sealed, 'base64url'),
    );
  } catch (error) {
    if (error instanceof KeySecretError) return undefined;
    throw error;
  }
}

/** Dark on light in both colour schemes, as scanners expect. */
function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}"
shape-rendering="crispEdges">
<path class="light" d="M0 0h${size}v${size}h-${size}z"></path>
<path d="${squares.join('')}"></path>
</svg>`;
}
