import { AppError, type FieldErrors } from '#shared/errors/app-error.ts';
import { notFound } from '#shared/errors/errors.ts';
import { type Html, html } from '#shared/html/html.ts';
import { ownerOf } from '../browser/browser-session-service.ts';
import { describeUserAgent } from '../browser/describe-user-agent.ts';
import { refusalText, selectField } from '../html/form.ts';
import { formatTimestamp, untrustedText } from '../html/text.ts';
import {
  listRemindedBrowsers,
  type RemindedBrowser,
  subscribeBrowser,
  unsubscribeBrowser,
} from '../reminders/push-subscription-service.ts';
import { remindersPath } from '../reminders/reminder-messages.ts';
import {
  type ReminderSettings,
  readReminderSettings,
  saveReminderSettings,
} from '../reminders/reminder-settings-service.ts';
import type { SettingsRequest, SettingsTab } from './settings-tab.ts';

const browserPath = `${remindersPath}/browser`;
const channelsPath = `${remindersPath}/channels`;
const noDigest = 'none';

export const remindersTab: SettingsTab = {
  path: remindersPath,
  label: 'Reminders',
  icon: 'bell',
  notices: {
    on: 'Reminders are on in this browser.',
    off: 'That browser gets no more reminders.',
    saved: 'Saved.',
  },
  show: (request) => showReminders(request),
  forms: {
    [browserPath]: turnOn,
    [channelsPath]: saveChannels,
    [`${remindersPath}/:subscriptionId/off`]: async ({ session, user, id, done }) => {
      if (!(await unsubscribeBrowser(session, user.account.id, id('subscriptionId')))) throw notFound();
      done('off');
    },
  },
};

/** The script of the page has asked the browser for its subscription. */
async function turnOn(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  const { session, user, context } = request;
  const target = {
    endpoint: form.get('endpoint') ?? '',
    p256dh: form.get('p256dh') ?? '',
    authSecret: form.get('auth') ?? '',
  };
  try {
    await subscribeBrowser(session, context.pushServices, ownerOf(user), target);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'token_missing') throw error;
    const status = error.errors === undefined ? 409 : 400;
    return showReminders(request, { status, problem: describeRefusal(error) });
  }
  request.done('on');
}

function describeRefusal({ errors, message }: AppError): string {
  if (errors === undefined) return message;
  return errors.keys === undefined
    ? 'The push service of this browser is not supported.'
    : 'The browser’s subscription is not complete. Load the page again.';
}

async function saveChannels(request: SettingsRequest, form: URLSearchParams): Promise<void> {
  const { session, user, context } = request;
  const asked = form.get('digest_hour') ?? noDigest;
  if (asked !== noDigest && !/^(\d|1\d|2[0-3])$/.test(asked)) {
    const errors = { digest_hour: ['Choose one of the hours in the list.'] };
    return showReminders(request, { status: 400, errors });
  }
  const { byMail } = await readReminderSettings(session, user.account.id);
  await saveReminderSettings(session, user.account.id, {
    // Without mail the box is disabled, so it is not sent.
    byMail: context.mail === undefined ? byMail : form.has('by_mail'),
    digestHour: asked === noDigest ? null : Number(asked),
  });
  request.done('saved');
}

type Shown = { status?: number; problem?: string; errors?: FieldErrors };

async function showReminders(request: SettingsRequest, shown: Shown = {}): Promise<void> {
  const { session, user, context } = request;
  const browsers = await listRemindedBrowsers(session, user.account.id);
  const settings = await readReminderSettings(session, user.account.id);
  const { publicKey } = await context.vapidKeys();
  const [own] = browsers.filter(({ sessionId }) => sessionId === user.sessionId);
  const others = browsers.filter((browser) => browser !== own);
  const hasMail = context.mail !== undefined;
  const isSilent = browsers.length === 0 && !(settings.byMail && hasMail);
  const body = html`<p>A task with a date and a time reminds you then,
in the time zone ${user.account.timezone} (<a href="/settings">change</a>).</p>
${
  isSilent &&
  html`<p class="warning">No reminder will be sent, and no digest:
turn them on in a browser${hasMail && ' or by mail'}.</p>`
}
${refusalText(shown.problem)}
<section class="card stack">
<h2>This browser</h2>
${own === undefined ? turnOnPart(request, publicKey) : turnOffPart(request, own)}
</section>
${others.length > 0 && otherBrowsers(request, others)}
${channelsForm(request, settings, shown.errors)}`;
  request.sendPage({ title: 'Reminders', body }, { status: shown.status ?? 200 });
}

/** The page's script shows the button if the browser supports push messages, and fills in the form. */
function turnOnPart({ csrf }: SettingsRequest, publicKey: string): Html {
  return html`<p>Shows a notification, also while no page of ours is open,
for as long as you are signed in here.</p>
<form method="post" action="${browserPath}" class="stack" data-push-key="${publicKey}">
${csrf(browserPath)}
<input type="hidden" name="endpoint"><input type="hidden" name="p256dh"><input type="hidden" name="auth">
<p class="muted" role="status">Needs JavaScript.</p>
<button class="btn primary" hidden>Turn on reminders here</button>
</form>`;
}

function turnOffPart({ user, csrf }: SettingsRequest, browser: RemindedBrowser): Html {
  return html`<p>Reminders are on. ${lastSent(browser, user.account.timezone)}</p>
${turnOffForm(csrf, browser, true)}`;
}

function turnOffForm(csrf: SettingsRequest['csrf'], { id }: RemindedBrowser, isOwn = false): Html {
  const action = `${remindersPath}/${id}/off`;
  return html`<form method="post" action="${action}"${isOwn && html` data-push-off`}>
${csrf(action)}
<button class="btn">Turn off${isOwn && html` here`}</button>
</form>`;
}

function otherBrowsers({ user, csrf }: SettingsRequest, browsers: readonly RemindedBrowser[]): Html {
  const entries = browsers.map(
    (browser) => html`<li class="stack">
<h3>${untrustedText(describeUserAgent(browser.userAgent))}</h3>
<p>${lastSent(browser, user.account.timezone)}</p>
${turnOffForm(csrf, browser)}
</li>
`,
  );
  return html`<section class="card stack">
<h2>Other browsers</h2>
<ul class="list">${entries}</ul>
</section>`;
}

function lastSent({ createdAt, lastSentAt }: RemindedBrowser, timezone: string): Html {
  return lastSentAt === null
    ? html`Since ${formatTimestamp(createdAt, timezone)}; nothing was sent yet.`
    : html`Last one: ${formatTimestamp(lastSentAt, timezone)}.`;
}

function channelsForm(
  { user, csrf, context }: SettingsRequest,
  { byMail, digestHour }: ReminderSettings,
  errors: FieldErrors | undefined,
): Html {
  const hasMail = context.mail !== undefined;
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: `${String(hour).padStart(2, '0')}:00`,
  }));
  const chosen = String(digestHour ?? noDigest);
  const options = [{ value: noDigest, label: 'No digest' }, ...hours].map(
    ({ value, label }) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  );
  return html`<section class="card stack">
<h2>By mail, and once a day</h2>
<form method="post" action="${channelsPath}" class="stack">
${csrf(channelsPath)}
<label class="choice">
<input type="checkbox" name="by_mail" value="yes"${byMail && html` checked`}${!hasMail && html` disabled`}>
<span>Send reminders by mail to ${untrustedText(user.account.email)}</span>
</label>
${!hasMail && html`<p class="hint">This service cannot send mail.</p>`}
${selectField({
  name: 'digest_hour',
  label: 'Daily digest',
  hint: 'What is planned for the day and what is overdue, at this hour. It is sent like your reminders.',
  errors: errors?.digest_hour,
  choices: html`${options}`,
})}
<button class="btn primary">Save</button>
</form>
</section>
`;
}
