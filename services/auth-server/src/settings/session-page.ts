import type { BrowserSession } from '../browser/browser-session-repository.ts';
import { foreignText } from '../html/foreign-text.ts';
import { type Html, html } from '../html/html.ts';
import { guardedButton } from './form-parts.ts';
import { moment } from './moment.ts';
import type { SettingsPage, SettingsRequest } from './settings-request.ts';
import { settingsTabs } from './settings-tabs.ts';
import { describeUserAgent } from './user-agent-words.ts';

export const endOthersPath = '/settings/sessions/end-others';

export function sessionsPage(request: SettingsRequest, browsers: readonly BrowserSession[]): SettingsPage {
  const hasOthers = browsers.some(({ id }) => id !== request.visitor.sessionId);
  const body = html`<p>The browsers that are signed in to your account. Sign out those you don’t know, and <a href="/settings">change your password</a>.</p>
<section class="card">
<ul class="list">${browsers.map((browser) => browserEntry(request, browser))}</ul>
</section>
${
  hasOthers
    ? guardedButton({
        opener: 'Sign out all others…',
        consequence:
          'Every browser but this one has to sign in again. Connected apps and personal tokens stay.',
        button: 'Sign out all other browsers',
        action: endOthersPath,
        csrf: request.csrf(endOthersPath),
      })
    : html`<p class="muted">No other browser is signed in.</p>`
}`;
  return { title: 'Sessions', body };
}

function browserEntry(request: SettingsRequest, browser: BrowserSession): Html {
  const { timezone } = request.visitor.account;
  const isThis = browser.id === request.visitor.sessionId;
  const action = `${settingsTabs.sessions}/${browser.id}/end`;
  return html`<li class="stack">
<h2>${foreignText(describeUserAgent(browser.userAgent))}${isThis && html` <span class="badge">This browser</span>`}</h2>
<dl>
<dt>Address</dt> <dd>${browser.address}</dd>
<dt>Signed in</dt> <dd>${moment(browser.createdAt, timezone)}</dd>
<dt>Last seen</dt> <dd>${moment(browser.lastSeenAt, timezone)}</dd>
</dl>
${
  !isThis &&
  guardedButton({
    opener: 'Sign out…',
    consequence: 'That browser has to sign in again.',
    button: 'Sign out that browser',
    action,
    csrf: request.csrf(action),
  })
}
</li>
`;
}
