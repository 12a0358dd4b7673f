import type { ConnectedApp } from '../connected-apps/connected-app-service.ts';
import { foreignText } from '../html/foreign-text.ts';
import { type Html, html } from '../html/html.ts';
import { guardedButton } from './form-parts.ts';
import { moment } from './moment.ts';
import { scopeWords } from './scope-words.ts';
import type { SettingsPage, SettingsRequest } from './settings-request.ts';
import { settingsTabs } from './settings-tabs.ts';

/** `address`: what is given to an app to connect it. */
export function appsPage(
  request: SettingsRequest,
  apps: readonly ConnectedApp[],
  address: string,
): SettingsPage {
  const body = html`<p>Apps and assistants you have allowed to use your tasks, by the names they gave themselves. We have not checked them.</p>
<section class="card">
${apps.length === 0 ? noApps(address) : html`<ul class="list">${apps.map((app) => appEntry(request, app))}</ul>`}
</section>
`;
  return { title: 'Connected apps', body };
}

function noApps(address: string): Html {
  return html`<p>No app is connected. To connect an assistant, give it this address:</p>
<p><code id="address">${address}</code></p>
<div class="row" data-copy="#address"></div>
<p>It then brings you here, where you decide what it may do.</p>
`;
}

function appEntry(request: SettingsRequest, app: ConnectedApp): Html {
  const { timezone } = request.visitor.account;
  const action = `${settingsTabs.apps}/${app.id}/disconnect`;
  return html`<li class="stack">
<h2><span class="claim">“${foreignText(app.name)}”</span></h2>
<dl>
<dt>May</dt> <dd>${app.scopes.map((scope) => html`<p>${scopeWords[scope].meaning}</p>`)}</dd>
${isAddress(app.clientId) && html`<dt>Known as</dt> <dd>${foreignText(app.clientId)}</dd>`}
<dt>Connected since</dt> <dd>${moment(app.createdAt, timezone)}</dd>
<dt>Last used</dt> <dd>${app.lastUsedAt === null ? 'Never' : moment(app.lastUsedAt, timezone)}</dd>
</dl>
${guardedButton({
  opener: 'Disconnect…',
  consequence:
    'The app is refused from its next request on. Your tasks stay as they are; it can ask to be connected again.',
  button: 'Disconnect this app',
  action,
  csrf: request.csrf(action),
})}
</li>
`;
}

/** The id of a client that describes itself on a host of its own says whose it is; others are random. */
function isAddress(clientId: string): boolean {
  return clientId.startsWith('https://');
}
