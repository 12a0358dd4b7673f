import type { AuditEvent } from '../audit/audit-event-entity.ts';
import { actorWords, presentAuditEvent } from '../audit/present-audit-event.ts';
import { foreignText } from '../html/foreign-text.ts';
import { type Html, html } from '../html/html.ts';
import type { ActivityPage } from './activity-service.ts';
import { moment } from './moment.ts';
import type { SettingsPage, SettingsRequest } from './settings-request.ts';
import { settingsTabs } from './settings-tabs.ts';
import { describeUserAgent } from './user-agent-words.ts';

export function activityPage(
  { visitor }: SettingsRequest,
  { events, olderThan }: ActivityPage,
): SettingsPage {
  const { timezone } = visitor.account;
  const list = html`<ol class="list">${events.map((event) => activityEntry(event, timezone))}</ol>`;
  const body = html`<p>What happened to your account: sign-ins, tokens, apps. If something was not you, <a href="/settings">change your password</a>.</p>
<section class="card">
${events.length === 0 ? html`<p>Nothing is recorded from that time. What you do from now on is listed here.</p>` : list}
</section>
${olderThan !== undefined && html`<p><a href="${settingsTabs.activity}?before=${olderThan}">Older activity</a></p>`}`;
  return { title: 'Activity', body };
}

function activityEntry(event: AuditEvent, timezone: string): Html {
  const program = event.userAgent && html`, with ${foreignText(describeUserAgent(event.userAgent))}`;
  return html`<li>
<b>${presentAuditEvent(event)}</b>
<p class="muted">${moment(event.happenedAt, timezone)}, ${actorWords[event.actor]}${program}${event.address && `, from ${event.address}`}</p>
</li>
`;
}
