import { html } from '#shared/html/html.ts';
import { queryOf } from '#shared/http/request-input.ts';
import { sendPage } from '../html/page.ts';
import { deadLink } from '../html/page-error.ts';
import type { Exchange, Route } from '../http/route.ts';
import { openOwnerSession } from '../session.ts';
import { remindersPath } from './reminder-messages.ts';
import { stopReminderMail } from './reminder-settings-service.ts';
import { accountOfUnsubscribeLink, unsubscribeLinkFor, unsubscribePath } from './unsubscribe-link.ts';

/**
 * Mail programs send the POST (RFC 8058) without cookies: the link is the proof. A GET, as by mail scanners,
 * changes nothing.
 */
export const unsubscribeRoutes: readonly Route[] = [
  { path: unsubscribePath, method: 'get', handler: ask },
  { path: unsubscribePath, method: 'post', handler: unsubscribe },
];

async function ask(exchange: Exchange): Promise<void> {
  const { context, res } = exchange;
  const accountId = requireAccountId(exchange);
  const action = unsubscribeLinkFor(context.pageSecret, accountId);
  const body = html`<form method="post" action="${action}" class="stack">
<p>Reminders and the daily digest are no longer sent to you by mail.
Browsers in which they are on go on showing them.</p>
<button class="btn big primary">Unsubscribe</button>
</form>`;
  sendPage(res, { title: 'No more reminders by mail?', body });
}

async function unsubscribe(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  await stopReminderMail(openOwnerSession(context, req), requireAccountId(exchange));
  const body = html`<div class="stack">
<p>You can turn them on again in the <a href="${remindersPath}">settings</a>.</p>
</div>`;
  sendPage(res, { title: 'You get no more reminders by mail', body });
}

function requireAccountId({ context, req }: Exchange): string {
  const accountId = accountOfUnsubscribeLink(context.pageSecret, queryOf(req).get('link') ?? '');
  if (accountId !== undefined) return accountId;
  throw deadLink(
    'It is not complete, or this service has new keys. Sign in and change your reminders there.',
    {
      label: 'Change your reminders',
      path: remindersPath,
    },
  );
}
