import { historyDays } from '#shared/app/app-protocol.ts';
import { type Html, html } from '#shared/html/html.ts';
import { changesData, describeScopes, type Scope, scopeLabels } from '#shared/scopes.ts';
import type { SignedInUser } from '../browser/browser-session-service.ts';
import { redirectTarget } from '../clients/redirect-uri-rules.ts';
import { hostOfClient } from '../connected-apps/connected-app-service.ts';
import { appLogo } from '../html/app-logo.ts';
import { scopeBoxes } from '../html/form.ts';
import { type Page, suspensionNotice } from '../html/page.ts';
import { untrustedText } from '../html/text.ts';
import type { PendingAuthorization } from '../oauth/pending-authorization.ts';
import { signOutPath } from '../sign-in/sign-in-paths.ts';

type Authorization = Pick<PendingAuthorization, 'clientName' | 'clientId' | 'redirectUri' | 'scopes'>;

export type ConsentPageOptions = Authorization & {
  /** Where the decision is sent. */
  interactionPath: string;
  logoUrl: string | undefined;
  /** The valid earlier grants of the same app. */
  heldScopes: readonly Scope[];
  user: SignedInUser;
  /** The hidden fields of the two forms: for the decision, and for /sign-out. */
  csrf: Html;
  signOutCsrf: Html;
  error?: string | undefined;
};

/**
 * Asks whether an app may use the account. Data from the app is marked as unverified; the redirect target,
 * which is certain, is prominent.
 */
export function consentPage(options: ConsentPageOptions): Page {
  const { user, clientName } = options;
  const name = html`<span class="claim">“${untrustedText(clientName)}”</span>`;
  const isActive = user.account.status === 'active';
  const body = html`<div class="stack">
${!isActive && suspensionNotice}${ownWord(options)}
${isActive && heldBefore(options)}
${decisionForm(options)}
${
  isActive &&
  html`<p class="fine">Whatever you allow, it can’t change your password, see other accounts,
make tokens or connect further apps.
You can disconnect it at any time:
<a href="/settings/apps">Settings → Connected apps</a>.</p>
`
}${otherAccount(options)}
</div>`;
  const emblem = appLogo(
    clientName,
    options.logoUrl === undefined ? undefined : { url: options.logoUrl, isThere: false },
  );
  const heading = html`Let ${name} use your tasks?`;
  return { title: 'Connect an app', heading, body, user, layout: { kind: 'card', isWide: true, emblem } };
}

/** The host vouches for a client that is identified by the URL of its metadata document. */
function ownWord({ clientId, logoUrl }: ConsentPageOptions): Html {
  const host = hostOfClient(clientId);
  const [chosen, unchecked] = logoUrl === undefined ? ['this name', 'it'] : ['this name and logo', 'them'];
  return html`<p class="muted">The app chose ${chosen} itself.
<strong>We have not checked ${unchecked}.</strong>
${host !== undefined && html`Its description comes from <strong>${host}</strong>.`}</p>`;
}

/** Each decision creates a separate connected app. */
function heldBefore({ scopes, heldScopes }: ConsentPageOptions): Html | undefined {
  if (heldScopes.length === 0) return undefined;
  const added = scopes.filter((scope) => !heldScopes.includes(scope));
  const names = added.map((scope) => scopeLabels[scope].name).join(', ');
  return html`<p class="notice">This app is connected already: <strong>${describeScopes(heldScopes)}</strong>.
${added.length === 0 ? 'It asks for nothing new.' : html`New: <strong>${names}</strong>.`}
If you allow it, it is listed once more; disconnect the earlier one if it is no longer used.</p>`;
}

function destination(redirectUri: string): Html {
  const { kind, host } = redirectTarget(redirectUri);
  if (kind === 'https') {
    return html`<div class="destination"><p>Your answer goes to</p>
<p class="host"><strong>${host}</strong></p>
<p>Allow it only if you know this site, and came here from there.</p></div>`;
  }
  const receiver =
    kind === 'loopback'
      ? html`an app on this device, at <strong>${host}</strong>`
      : html`the app on this device that opens <strong>${host}</strong> links`;
  return html`<div class="destination"><p>Your answer goes to</p>
<p class="host">${receiver}</p>
<p class="warning">We can’t tell which app that is.
Only continue if you started this yourself just now.</p></div>`;
}

const changesKept = html`<p class="muted">Whatever it changes is listed under Activity in the app,
and you can take it back for ${historyDays} days.</p>`;

function decisionForm(options: ConsentPageOptions): Html {
  const { interactionPath, redirectUri, scopes, user, csrf, error } = options;
  const opensApp = redirectTarget(redirectUri).kind === 'private-scheme';
  const leaves = opensApp ? html` data-answers-app` : undefined;
  const isActive = user.account.status === 'active';
  return html`<form method="post" action="${interactionPath}" class="stack"${leaves}>
${csrf}
${
  // Resubmitted without a selection: keep it empty.
  isActive && scopeBoxes({ label: 'It asks to', offered: scopes, isTicked: () => error === undefined, error })
}
${isActive && scopes.some(changesData) && changesKept}
${destination(redirectUri)}
<div class="pair">
<button class="btn big" name="decision" value="deny">Don’t allow</button>
${isActive && html`<button class="btn big primary" name="decision" value="allow" data-arms>Allow</button>`}
</div>
</form>`;
}

function otherAccount({ interactionPath, user, signOutCsrf }: ConsentPageOptions): Html {
  return html`<form method="post" action="${signOutPath}" class="row fine">
${signOutCsrf}
<input type="hidden" name="return_to" value="${interactionPath}">
<span>This is about the account ${untrustedText(user.account.email)}.</span>
<button class="plain">Use another account</button>
</form>`;
}
