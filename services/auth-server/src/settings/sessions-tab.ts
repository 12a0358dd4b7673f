import { notFound } from '#shared/errors/errors.ts';
import { type Html, html } from '#shared/html/html.ts';
import { queryOf } from '#shared/http/request-input.ts';
import type { BrowserSession } from '../browser/browser-session-entity.ts';
import {
  listBrowserSessions,
  signOutBrowser,
  signOutOtherBrowsers,
} from '../browser/browser-session-service.ts';
import { describeUserAgent } from '../browser/describe-user-agent.ts';
import { guardedButton } from '../html/form.ts';
import { formatAgo, untrustedText } from '../html/text.ts';
import { describePlace } from './describe-place.ts';
import { failedSignInsCard } from './failed-sign-ins.ts';
import { whenFresh } from './fresh-sign-in.ts';
import { passwordFormPlace } from './security-paths.ts';
import type { SettingsRequest, SettingsTab } from './settings-tab.ts';

const path = '/settings/sessions';
/** On a page: scripts that never sign out have thousands. */
const listedBrowsers = 100;
const endOthersPath = `${path}/end-others`;

export const sessionsTab: SettingsTab = {
  path,
  label: 'Sessions',
  icon: 'browser',
  notices: {
    ended: 'That browser has been signed out.',
    'others-ended': 'All other browsers have been signed out.',
  },
  show: showSessions,
  forms: {
    [endOthersPath]: whenFresh(async ({ session, user, done }) => {
      await signOutOtherBrowsers(session, user.account.id, user.sessionId);
      done('others-ended');
    }),
    [`${path}/:sessionId/end`]: whenFresh(async ({ session, user, id, done }) => {
      if ((await signOutBrowser(session, user.account.id, id('sessionId'))) === undefined) throw notFound();
      done('ended');
    }),
  },
};

async function showSessions(request: SettingsRequest): Promise<void> {
  const { req, session, user, csrf } = request;
  const found = await listBrowserSessions(session, user.account.id);
  // This browser first: the time of its last request is stored only once a minute.
  const others = found.filter(({ id }) => id !== user.sessionId);
  const browsers = [...found.filter(({ id }) => id === user.sessionId), ...others];
  const from = Number(/^\d{1,6}$/.exec(queryOf(req).get('from') ?? '')?.[0] ?? 0);
  const listed = browsers.slice(from, from + listedBrowsers);
  const left = browsers.length - from - listedBrowsers;
  const entries = listed.map((browser) => browserEntry(request, browser));
  const body = html`<p>The browsers that are signed in to your account.
Sign out those you don’t know, and <a href="${passwordFormPlace}">change your password</a>.</p>
<section class="card">
${entries.length === 0 ? html`<p>There are no further browsers.</p>` : html`<ul class="list">${entries}</ul>`}
</section>
${
  left > 0 &&
  html`<p><a href="${path}?from=${from + listedBrowsers}">${left.toLocaleString('en')} more,
seen less recently</a></p>`
}
${
  others.length > 0
    ? guardedButton({
        opener: 'Sign out all others…',
        consequence: 'Every other browser has to sign in again. Connected apps and personal tokens stay.',
        button: 'Sign out all other browsers',
        action: endOthersPath,
        csrf: csrf(endOthersPath),
      })
    : html`<p class="muted">No other browser is signed in.</p>`
}
${await failedSignInsCard(request)}`;
  request.sendPage({ title: 'Sessions', body });
}

function browserEntry({ user, session, csrf }: SettingsRequest, browser: BrowserSession): Html {
  const { timezone } = user.account;
  const now = session.clock.now();
  const isThis = browser.id === user.sessionId;
  const action = `${path}/${browser.id}/end`;
  const program = describeUserAgent(browser.userAgent);
  return html`<li class="stack">
<h2>${untrustedText(program)}${isThis && html` <span class="badge">This browser</span>`}</h2>
<dl>
<dt>Address</dt> <dd>${describePlace(browser.address, session.origin.address)}</dd>
<dt>Signed in</dt> <dd>${formatAgo(browser.createdAt, now, timezone)}</dd>
<dt>Last seen</dt> <dd>${isThis ? 'now' : formatAgo(browser.lastSeenAt, now, timezone)}</dd>
</dl>
${
  !isThis &&
  guardedButton({
    opener: 'Sign out…',
    consequence: 'That browser has to sign in again.',
    button: 'Sign out that browser',
    name: program,
    action,
    csrf: csrf(action),
  })
}
</li>
`;
}
