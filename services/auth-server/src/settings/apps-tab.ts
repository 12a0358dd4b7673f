import { notFound } from '#shared/errors/errors.ts';
import { assistantPath } from '#shared/http/protected-resource-urls.ts';
import { scopeLabels } from '#shared/scopes.ts';
import {
  type ConnectedApp,
  disconnectApp,
  listConnectedApps,
} from '../connected-apps/connected-app-service.ts';
import { guardedButton } from '../html/form.ts';
import { type Html, html } from '../html/html.ts';
import { formatTimestamp, untrustedText } from '../html/text.ts';
import type { SettingsRequest, SettingsTab } from './settings-tab.ts';

const path = '/settings/apps';

export const appsTab: SettingsTab = {
  path,
  label: 'Connected apps',
  notices: { disconnected: 'The app is disconnected: its next request is refused.' },
  show: showApps,
  forms: {
    [`${path}/:appId/disconnect`]: async ({ session, user, id, done }) => {
      if ((await disconnectApp(session, id('appId'), user.account.id)) === null) throw notFound();
      done('disconnected');
    },
  },
};

async function showApps(request: SettingsRequest): Promise<void> {
  const apps = await listConnectedApps(request.session, request.user.account.id);
  const address = request.context.config.baseUrl + assistantPath;
  const body = html`<p>Apps and assistants you have allowed to use your tasks, by the names they gave themselves. We have not checked them.</p>
<section class="card">
${apps.length === 0 ? noApps(address) : html`<ul class="list">${apps.map((app) => appEntry(request, app))}</ul>`}
</section>
`;
  request.sendPage({ title: 'Connected apps', body });
}

function noApps(address: string): Html {
  return html`<p>No app is connected. To connect an assistant, give it this address:</p>
<p><code id="address">${address}</code></p>
<div class="row" data-copy="#address"></div>
<p>It then brings you here, where you decide what it may do.</p>
`;
}

function appEntry({ user, csrf }: SettingsRequest, app: ConnectedApp): Html {
  const { timezone } = user.account;
  const action = `${path}/${app.id}/disconnect`;
  // A client id that is an address names the client's host; others are random.
  const hasAddress = app.clientId.startsWith('https://');
  return html`<li class="stack">
<h2><span class="claim">“${untrustedText(app.name)}”</span></h2>
<dl>
<dt>May</dt> <dd>${app.scopes.map((scope) => html`<p>${scopeLabels[scope].meaning}</p>`)}</dd>
${hasAddress && html`<dt>Known as</dt> <dd>${untrustedText(app.clientId)}</dd>`}
<dt>Connected since</dt> <dd>${formatTimestamp(app.createdAt, timezone)}</dd>
<dt>Last used</dt> <dd>${app.lastUsedAt === null ? 'Never' : formatTimestamp(app.lastUsedAt, timezone)}</dd>
</dl>
${guardedButton({
  opener: 'Disconnect…',
  consequence:
    'The app is refused from its next request on. Your tasks stay as they are; it can ask to be connected again.',
  button: 'Disconnect this app',
  action,
  csrf: csrf(action),
})}
</li>
`;
}
