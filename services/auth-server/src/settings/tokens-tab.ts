import { AppError, type FieldErrors } from '#shared/errors/app-error.ts';
import { notFound } from '#shared/errors/errors.ts';
import { type Html, html } from '#shared/html/html.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { describeScopes } from '#shared/scopes.ts';
import { requireActiveAccount } from '../accounts/account-service.ts';
import type { ApiToken } from '../api-tokens/api-token-entity.ts';
import {
  createApiToken,
  listApiTokens,
  revokeApiToken,
  TokenLimitError,
  type UsedApiToken,
} from '../api-tokens/api-token-service.ts';
import { ownerOf } from '../browser/browser-session-service.ts';
import { fieldErrors, guardedButton, refusalText } from '../html/form.ts';
import { formatTimestamp, untrustedText } from '../html/text.ts';
import { whenFresh } from './fresh-sign-in.ts';
import type { SettingsPage, SettingsRequest, SettingsTab } from './settings-tab.ts';
import {
  emptyTokenForm,
  readTokenForm,
  type TokenForm,
  tokenForm,
  tokenIdOf,
  tokenInput,
  tokenMembers,
} from './token-form.ts';

const path = '/settings/api';

export const tokensTab: SettingsTab = {
  path,
  label: 'API',
  icon: 'code',
  notices: { revoked: 'The token has been revoked: its next request is refused.' },
  show: (request) => showTokens(request),
  forms: {
    [path]: whenFresh(createToken),
    [`${path}/:tokenId/revoke`]: async ({ session, user, id, done }) => {
      if ((await revokeApiToken(session, id('tokenId'), user.account.id)) === null) throw notFound();
      done('revoked');
    },
  },
};

const sentBefore =
  'This form was sent before, and its token is in the list below. ' +
  'A secret is shown only once: ' +
  'if you have not copied it, revoke that token and create another.';

async function createToken(request: SettingsRequest, sent: URLSearchParams): Promise<void> {
  const { context, session, user } = request;
  const { id: accountId, timezone } = user.account;
  const form = readTokenForm(sent);
  await requireActiveAccount(session, accountId);
  const tokenId = tokenIdOf(context.pageSecret, accountId, sent.get('nonce') ?? '');
  if (tokenId === undefined)
    return showTokens(request, { form, error: 'Please send the form once more.' }, 400);
  try {
    const input = tokenInput(form, timezone);
    const { token, secret } = await createApiToken(session, accountId, input, {
      tokenId,
      owner: ownerOf(user),
    });
    request.sendPage(secretPage(token, secret, apiRootOf(context.config.baseUrl)));
  } catch (error) {
    if (error instanceof TokenLimitError) return showTokens(request, { form, error: error.message }, 409);
    const isRepeated = error instanceof AppError && error.code === 'invalid_state';
    if (isRepeated) return showTokens(request, { form, error: sentBefore }, 409);
    return showTokens(request, { form, errors: fieldErrors(error, tokenMembers) }, 400);
  }
}

type SentForm = {
  form?: TokenForm;
  errors?: FieldErrors;
  /** An error of the form as a whole. */
  error?: string;
};

const noTokens = html`<p>You have no tokens yet. Create one above for each program that needs one.</p>`;

async function showTokens(request: SettingsRequest, sent: SentForm = {}, status = 200): Promise<void> {
  const { form = emptyTokenForm, errors, error } = sent;
  const { context, session, user, csrf } = request;
  const tokens = await listApiTokens(session, user.account.id);
  const apiRoot = apiRootOf(context.config.baseUrl);
  const entries = tokens.map((token) => tokenEntry(request, token));
  const body = html`<p>A personal token lets a program of yours use the API in your name.
The address of the API is <code>${apiRoot}</code>;
<a href="${apiRoot}/docs">its reference</a> tells the rest.</p>
${
  user.account.status === 'active' &&
  html`<section class="card">
<h2>Create a token</h2>
${refusalText(error)}
${tokenForm(form, { action: path, csrf: csrf(path), errors })}
</section>
`
}
<section class="card">
<h2>Your tokens</h2>
${entries.length === 0 ? noTokens : html`<ul class="list">${entries}</ul>`}
</section>
`;
  request.sendPage({ title: 'API', body }, { status });
}

function tokenEntry({ user, session, csrf }: SettingsRequest, { token, lastUsedAt }: UsedApiToken): Html {
  const { id, name, scopes, lastFour, createdAt, expiresAt } = token;
  const { timezone } = user.account;
  const isExpired = expiresAt != null && expiresAt <= session.clock.now();
  const action = `${path}/${id}/revoke`;
  const end = expiresAt ? formatTimestamp(expiresAt, timezone) : 'Never';
  return html`<li class="stack">
<h3>${untrustedText(name)}${isExpired && html` <span class="badge">Expired</span>`}</h3>
<dl>
<dt>May do</dt> <dd>${describeScopes(scopes)}</dd>
<dt>Ends with</dt> <dd><code>…${lastFour}</code></dd>
<dt>Created</dt> <dd>${formatTimestamp(createdAt, timezone)}</dd>
<dt>Last used</dt> <dd>${lastUsedAt === null ? 'Never' : formatTimestamp(lastUsedAt, timezone)}</dd>
<dt>${isExpired ? 'Expired' : 'Expires'}</dt> <dd>${end}</dd>
</dl>
${guardedButton({
  opener: 'Revoke…',
  consequence: 'Programs that use this token are refused from their next request on. This cannot be undone.',
  button: 'Revoke this token',
  name,
  action,
  csrf: csrf(action),
})}
</li>
`;
}

/** A request that the scopes of the token allow. */
function firstCall({ scopes }: ApiToken, start: string, apiRoot: string) {
  if (scopes.includes('read'))
    return { call: `${start} ${apiRoot}/me`, purpose: 'This asks who the token belongs to:' };
  const json = `-H "Content-Type: application/json" -d '{"title": "Try the API"}'`;
  return { call: `${start} ${json} ${apiRoot}/tasks`, purpose: 'This adds a task to your Inbox:' };
}

/** The only page that shows the secret. */
function secretPage(token: ApiToken, secret: string, apiRoot: string): SettingsPage {
  const { call, purpose } = firstCall(token, `curl -H "Authorization: Bearer ${secret}"`, apiRoot);
  const body = html`<section class="card stack">
<p>The token “${untrustedText(token.name)}” is ready.
<strong>Copy it now: it is shown only once.</strong> We store only its hash.</p>
<p class="secret"><code id="secret">${secret}</code></p>
<div class="row" data-copy="#secret"></div>
<h2>Try it</h2>
<p>${purpose}</p>
<pre><code id="call">${call}</code></pre>
<p>Keep it like a password: whoever has it can use your account as far as the token allows.
${!token.expiresAt && 'It is valid until you revoke it.'}</p>
<p><a href="${path}">I have copied it: back to my tokens</a></p>
</section>
`;
  return { title: 'Copy your new token', body };
}
