import { appPath } from '#shared/app/app-protocol.ts';
import { type Html, html } from '#shared/html/html.ts';
import { queryOf } from '#shared/http/request-input.ts';
import type { Actor, AuditEventName } from '../audit/audit-event-entity.ts';
import { listAuditEvents } from '../audit/audit-trail.ts';
import { describeUserAgent } from '../browser/describe-user-agent.ts';
import { formatAgo, untrustedText } from '../html/text.ts';
import { describePlace } from './describe-place.ts';
import { type EventRun, failedSignInsLabel, joinFailedSignIns } from './failed-sign-ins.ts';
import { passwordFormPlace } from './security-paths.ts';
import type { SettingsRequest, SettingsTab } from './settings-tab.ts';

const eventsPerPage = 50;

export const activityTab: SettingsTab = {
  path: '/settings/activity',
  label: 'Security log',
  icon: 'activity',
  show: showActivity,
};

async function showActivity(request: SettingsRequest): Promise<void> {
  const { req, session, user, sendPage } = request;
  const { id } = user.account;
  const before = queryOf(req).get('before') ?? '';
  const sequence = /^\d{1,18}$/.test(before) ? before : undefined;
  const found = await listAuditEvents(session.em, id, eventsPerPage + 1, sequence);
  const events = found.slice(0, eventsPerPage);
  const olderThan = found.length > events.length ? events.at(-1)?.sequence : undefined;
  const entries = joinFailedSignIns(events).map((run) => activityEntry(request, run));
  const list = html`<ol class="list">${entries}</ol>`;
  const older = html`<p><a href="${activityTab.path}?before=${olderThan}">Older entries</a></p>`;
  const body = html`<p>What happened to your account: sign-ins, tokens, apps.
If something was not you, <a href="${passwordFormPlace}">change your password</a>.
What was done to your tasks, and by whom, is listed
under <a href="${appPath}/activity">Activity</a> in the app.</p>
<section class="card">
${events.length === 0 ? html`<p>There are no entries from that time.</p>` : list}
</section>
${olderThan !== undefined && older}`;
  sendPage({ title: 'Security log', body });
}

function activityEntry({ session, user }: SettingsRequest, run: EventRun): Html {
  const { event, subjectName, happenedAt, actor, userAgent, address } = run.event;
  const name = subjectName == null ? undefined : html`“${untrustedText(subjectName)}”`;
  const program = userAgent && html`, with ${untrustedText(describeUserAgent(userAgent))}`;
  const when = formatAgo(happenedAt, session.clock.now(), user.account.timezone);
  const isFailure = event === 'sign_in_failed';
  const where = address && `, from ${describePlace(address, session.origin.address)}`;
  return html`<li>
<b>${event === 'sign_in_failed' ? failedSignInsLabel(run) : eventLabels[event](name)}</b>
<p class="muted">${when}${!isFailure && `, ${actorLabels[actor]}`}${program}${where}</p>
</li>
`;
}

const actorLabels: Readonly<Record<Actor, string>> = {
  owner: 'by you',
  app: 'by the app',
  operator: 'by the operator',
  service: 'automatically',
};

const eventLabels: Readonly<
  Record<Exclude<AuditEventName, 'sign_in_failed'>, (name: Html | undefined) => Html>
> = {
  account_created: () => html`The account was created`,
  signed_in: (name) =>
    name === undefined ? html`Signed in` : html`Signed in, in a browser that was not seen before`,
  signed_out: () => html`Signed out`,
  session_ended: (name) =>
    name === undefined ? html`All other browsers were signed out` : html`${name} was signed out`,
  password_changed: () => html`The password was changed`,
  reset_link_made: () => html`A link to choose another password was made`,
  address_changed: (name) => html`The e-mail address was changed; it was ${name} before`,
  address_restored: (name) => html`The e-mail address was taken back; it was ${name} before`,
  second_factor_added: (name) => html`The second factor ${name} was added`,
  second_factor_removed: (name) => html`The second factor ${name} was removed`,
  second_factor_reset: () => html`All second factors were removed`,
  recovery_codes_created: () => html`New recovery codes were made`,
  recovery_code_used: () => html`A recovery code was used`,
  account_locked: () => html`The account was locked`,
  account_unlocked: () => html`The account was unlocked`,
  account_suspended: () => html`The account was suspended: read-only`,
  account_reactivated: () => html`The account is active again`,
  deletion_asked: () => html`The deletion of the account was asked for`,
  deletion_cancelled: () => html`The account is kept: its deletion was cancelled`,
  export_made: () => html`Everything was exported`,
  token_created: (name) => html`Token ${name} was created`,
  token_revoked: (name) => html`Token ${name} was revoked`,
  app_connected: (name) => html`${name} was connected`,
  app_disconnected: (name) => html`${name} was disconnected`,
  app_token_reused: (name) =>
    html`${name} was disconnected, because one of its tokens was used twice: somebody else may have it`,
};
