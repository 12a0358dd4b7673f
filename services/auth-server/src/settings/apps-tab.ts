import { appPath, connectedAppsPath, historyDays } from '#shared/app/app-protocol.ts';
import { notFound } from '#shared/errors/errors.ts';
import { addressAndWays } from '#shared/html/assistant-address.ts';
import { type Html, html } from '#shared/html/html.ts';
import { describeScopes, scopeLabels } from '#shared/scopes.ts';
import {
  disconnectApp,
  hostOfClient,
  type ListedApp,
  listConnectedApps,
} from '../connected-apps/connected-app-service.ts';
import { appLogo } from '../html/app-logo.ts';
import { guardedButton } from '../html/form.ts';
import { formatTimestamp, untrustedText } from '../html/text.ts';
import type { SettingsRequest, SettingsTab } from './settings-tab.ts';

const path = '/settings/apps';

export const appsTab: SettingsTab = {
  path,
  label: 'Connected apps',
  icon: 'bot',
  notices: { disconnected: 'The app has been disconnected: its next request is refused.' },
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
  const body = html`${connectAssistant(request.context.config.baseUrl)}
<section class="card stack">
<h2>Connected</h2>
${apps.length === 0 ? html`<p class="muted">No app is connected.</p>` : connected(request, apps)}
</section>
`;
  request.sendPage({ title: 'Connected apps', body });
}

function connected(request: SettingsRequest, apps: readonly ListedApp[]): Html {
  return html`<p class="muted">Apps and assistants that may use your tasks.
They chose their names and logos themselves; we have not verified them.
What they changed is listed under <a href="${appPath}/activity">Activity</a> in the app,
where you can undo it for ${historyDays} days.</p>
<ul class="list">${apps.map((app) => appEntry(request, app))}</ul>`;
}

function appEntry({ user, csrf }: SettingsRequest, app: ListedApp): Html {
  const { timezone } = user.account;
  const action = `${path}/${app.id}/disconnect`;
  const logo = app.hasLogo ? { url: `${connectedAppsPath}/${app.id}/logo`, isThere: true } : undefined;
  const name = html`<span class="claim">“${untrustedText(app.name)}”</span>`;
  const may = html`<span class="badge">${describeScopes(app.scopes)}</span>`;
  return html`<li class="stack">
<div class="app-head">${appLogo(app.name, logo)}<h3>${name} ${may}</h3></div>
<dl>
<dt>May</dt> <dd>${app.scopes.map((scope) => html`<p>${scopeLabels[scope].meaning}</p>`)}</dd>
${hostOfClient(app.clientId) !== undefined && html`<dt>Known as</dt> <dd>${untrustedText(app.clientId)}</dd>`}
<dt>Connected since</dt> <dd>${formatTimestamp(app.createdAt, timezone)}</dd>
<dt>Last used</dt> <dd>${app.lastUsedAt === null ? 'Never' : formatTimestamp(app.lastUsedAt, timezone)}</dd>
</dl>
${guardedButton({
  opener: 'Disconnect…',
  consequence:
    'The app is refused from its next request on. ' +
    'Your tasks stay as they are; it can ask to be connected again.',
  button: 'Disconnect this app',
  name: app.name,
  action,
  csrf: csrf(action),
})}
</li>
`;
}

function connectAssistant(baseUrl: string): Html {
  return html`<section class="card stack">
<h2>Connect an assistant</h2>
<p>Give it this address. It opens a page here, where you decide what it may do.</p>
${addressAndWays(baseUrl)}
</section>
`;
}
