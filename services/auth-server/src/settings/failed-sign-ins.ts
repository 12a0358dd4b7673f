import { type Html, html } from '#shared/html/html.ts';
import type { AuditEvent } from '../audit/audit-event-entity.ts';
import { listFailedSignIns } from '../audit/audit-trail.ts';
import { describeUserAgent } from '../browser/describe-user-agent.ts';
import { formatAgo, untrustedText } from '../html/text.ts';
import { describePlace } from './describe-place.ts';
import { passwordFormPlace } from './security-paths.ts';
import type { SettingsRequest } from './settings-tab.ts';

/** An event, and the number of equal ones directly before it. */
export type EventRun = { event: AuditEvent; count: number };

/** Events newest first; consecutive equal failures from one address are one entry. */
export function joinFailedSignIns(events: readonly AuditEvent[]): EventRun[] {
  const runs: EventRun[] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last !== undefined && isSameFailure(last.event, event)) last.count += 1;
    else runs.push({ event, count: 1 });
  }
  return runs;
}

function isSameFailure(one: AuditEvent, other: AuditEvent): boolean {
  return (
    one.event === 'sign_in_failed' &&
    other.event === 'sign_in_failed' &&
    one.subjectName === other.subjectName &&
    one.address === other.address &&
    one.userAgent === other.userAgent
  );
}

export function failedSignInsLabel({ event, count }: EventRun): Html {
  const reason = isRightPassword(event) ? 'right password, wrong code' : 'wrong password';
  return count === 1 ? html`A sign-in failed: ${reason}` : html`${count} sign-ins failed: ${reason}`;
}

const isRightPassword = ({ subjectName }: AuditEvent): boolean => subjectName !== null;

const shownRuns = 5;
/** One more stands for any number. */
const countedFailures = 200;

/** The newest; undefined if there are none. */
export async function failedSignInsCard({ user, session }: SettingsRequest): Promise<Html | undefined> {
  const failures = await listFailedSignIns(session.em, user.account.id, countedFailures + 1);
  if (failures.length === 0) return undefined;
  const runs = joinFailedSignIns(failures.slice(0, countedFailures));
  const cutRun = failures.length > countedFailures ? runs.at(-1) : undefined;
  return html`<section class="card stack">
<h2>Failed sign-ins</h2>
${
  failures.some(isRightPassword)
    ? html`<p class="warning">Somebody entered your password, and then a wrong code.
If it was not you, <a href="${passwordFormPlace}">change your password</a>.</p>`
    : html`<p class="muted">Somebody entered a wrong password, perhaps you.
A few are nothing to worry about: attempts are limited, and do not lock out your browsers.</p>`
}
<ul class="list">${runs.slice(0, shownRuns).map(
    (run) => html`<li>
<b>${run === cutRun && run.count > 1 && 'At least '}${failedSignInsLabel(run)}</b>
<p class="muted">${formatAgo(run.event.happenedAt, session.clock.now(), user.account.timezone)},
with ${untrustedText(describeUserAgent(run.event.userAgent ?? null))},
from ${describePlace(run.event.address ?? '', session.origin.address)}</p>
</li>
`,
  )}</ul>
<p><a href="/settings/activity">Security log</a></p>
</section>
`;
}
