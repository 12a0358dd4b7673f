import type { ApiToken } from '../api-tokens/api-token-entity.ts';
import type { UsedApiToken } from '../api-tokens/api-token-service.ts';
import { foreignText } from '../html/foreign-text.ts';
import type { FormProblems } from '../html/form-problems.ts';
import { type Html, html } from '../html/html.ts';
import { guardedButton } from './form-parts.ts';
import { moment } from './moment.ts';
import { nameScopes } from './scope-words.ts';
import type { SettingsPage, SettingsRequest } from './settings-request.ts';
import { emptyTokenForm, type TokenForm, tokenForm, tokenFormPath } from './token-form.ts';

export type TokensPageOptions = {
  tokens: readonly UsedApiToken[];
  apiRoot: string;
  form?: TokenForm;
  problems?: FormProblems;
  /** What is wrong with the form as a whole. */
  problem?: string;
};

export function tokensPage(request: SettingsRequest, options: TokensPageOptions): SettingsPage {
  const { tokens, apiRoot, form = emptyTokenForm, problems, problem } = options;
  const isActive = request.visitor.account.status === 'active';
  const body = html`<p>A personal token lets a program of yours use the API in your name. The address of the API is
<code>${apiRoot}</code>; <a href="${apiRoot}/docs">its reference</a> tells the rest.</p>
${
  isActive &&
  html`<section class="card">
<h2>Create a token</h2>
${problem !== undefined && html`<p class="error" role="alert">${problem}</p>`}
${tokenForm(form, { csrf: request.csrf(tokenFormPath), problems })}
</section>
`
}
<section class="card">
<h2>Your tokens</h2>
${tokens.length === 0 ? html`<p>You have no tokens yet. Create one above for each program that needs one.</p>` : html`<ul class="list">${tokens.map((token) => tokenEntry(request, token))}</ul>`}
</section>
`;
  return { title: 'API', body };
}

function tokenEntry(request: SettingsRequest, { token, lastUsedAt }: UsedApiToken): Html {
  const { id, name, scopes, lastFour, createdAt, expiresAt } = token;
  const { timezone } = request.visitor.account;
  const isExpired = expiresAt != null && expiresAt <= request.session.clock.now();
  const action = `${tokenFormPath}/${id}/revoke`;
  return html`<li class="stack">
<h3>${foreignText(name)}${isExpired && html` <span class="badge">Expired</span>`}</h3>
<dl>
<dt>May do</dt> <dd>${nameScopes(scopes)}</dd>
<dt>Ends with</dt> <dd><code>…${lastFour}</code></dd>
<dt>Created</dt> <dd>${moment(createdAt, timezone)}</dd>
<dt>Last used</dt> <dd>${lastUsedAt === null ? 'Never' : moment(lastUsedAt, timezone)}</dd>
<dt>${isExpired ? 'Expired' : 'Expires'}</dt> <dd>${expiresAt ? moment(expiresAt, timezone) : 'Never'}</dd>
</dl>
${guardedButton({
  opener: 'Revoke…',
  consequence:
    'Programs that use this token are refused from their next request on. It can’t be brought back.',
  button: 'Revoke this token',
  action,
  csrf: request.csrf(action),
})}
</li>
`;
}

/** The only page that ever shows a secret. */
export function tokenSecretPage(token: ApiToken, secret: string, apiRoot: string): SettingsPage {
  const call = `curl -H "Authorization: Bearer ${secret}" ${apiRoot}/me`;
  const body = html`<section class="card stack">
<p>The token “${foreignText(token.name)}” is ready. <strong>Copy it now: it is shown this once.</strong> Only a hash of it is kept.</p>
<p class="secret"><code id="secret">${secret}</code></p>
<div class="row" data-copy="#secret"></div>
<h2>Try it</h2>
<p>This asks who the token belongs to:</p>
<pre><code id="call">${call}</code></pre>
<p>Keep it like a password: whoever has it can use your account as far as the token allows.
${!token.expiresAt && 'It counts until you revoke it.'}</p>
<p><a href="${tokenFormPath}">I have copied it: back to my tokens</a></p>
</section>
`;
  return { title: 'Copy your new token', body };
}
