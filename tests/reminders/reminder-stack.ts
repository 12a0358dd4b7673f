import type { TestFn } from 'ava';
import { publicInternet } from '#auth-server/clients/request-public-host.ts';
import { startStackWithMail } from '#tests/mail/mail-server.ts';
import { newVisit, type Visit } from '#tests/pages/visitors.ts';
import type { PageBrowser } from '#tests/support/page-browser.ts';
import type { AccountClient, OwnStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openPushService, type PushService, type Subscription } from './push-service.ts';

type ReminderStack = Awaited<ReturnType<typeof startReminderStack>>;

/** Before daylight saving time ends in Europe, in a year that the database's clock has not reached. */
export const start = '2035-10-26T06:00:00Z';

/** Two replicas of each service, a mail server and two push services, all on loopback by public names. */
export async function startReminderStack(test: TestFn<unknown>) {
  const [push, slowPush] = [await openPushService(), await openPushService()];
  const resolved = new Set<string>();
  let turn = 0;
  const { mail, stack, close } = await startStackWithMail({
    withReminders: true,
    now: start,
    publicHosts: {
      ...publicInternet,
      async resolve(name) {
        resolved.add(name);
        return ['127.0.0.1'];
      },
    },
    chooseReplica() {
      turn += 1;
      return turn % 2 === 0 ? 0 : 1;
    },
    environment: { PUSH_SERVICE_HOSTS: `${push.host},${slowPush.host}` },
  });
  test.after.always(async () => {
    // Requests without a response would be waited for.
    await Promise.all([push.close(), slowPush.close()]);
    await close();
  });
  return { ...stack, mail, push, slowPush, resolved };
}

export type RemindedPerson = Visit & { client: AccountClient; subscription: Subscription };

/** Somebody signed in, with a token, whose browser receives reminders. */
export async function remindedPerson(
  stack: ReminderStack,
  {
    timezone = 'Europe/Berlin',
    push = stack.push,
  }: { timezone?: string; push?: Pick<PushService, 'subscribe'> } = {},
): Promise<RemindedPerson> {
  const visit = await newVisit(stack, { timezone });
  const account = { accountId: visit.person.accountId, email: visit.person.email };
  const token = await stack.createToken(account);
  const subscription = push.subscribe();
  await turnOn(visit, subscription);
  return { ...visit, client: { ...stack.client(token), account, token }, subscription };
}

/** Reminded by mail alone. */
export async function mailedPerson(stack: ReminderStack, fields: { digest_hour?: string } = {}) {
  const visit = await newVisit(stack, { timezone: 'Europe/Berlin' });
  const page = await visit.browser.get('/settings/reminders');
  await visit.browser.submit(page, '/settings/reminders/channels', { by_mail: 'yes', ...fields });
  return { ...visit, client: stack.client(await stack.createToken(visit.person)) };
}

/** As the script of the page does. */
export async function turnOn({ browser }: Pick<Visit, 'browser'>, subscription: Subscription) {
  const page = await browser.get('/settings/reminders');
  return browser.submit(page, '/settings/reminders/browser', { ...subscription });
}

/** As the service worker does when the browser has another subscription. */
export function subscribeAs(
  { baseUrl }: ReminderStack,
  browser: PageBrowser,
  { endpoint, p256dh, auth }: Subscription,
  headers: Record<string, string> = {},
) {
  return browser.post(
    '/app/session/push-subscription',
    JSON.stringify({ endpoint, keys: { p256dh, auth } }),
    {
      'content-type': 'application/json',
      origin: baseUrl,
      'sec-fetch-site': undefined,
      ...headers,
    },
  );
}

/** Resolves when both services have dealt with everything that is due by the stack's clock. */
export async function allHandled(stack: ReminderStack): Promise<void> {
  await waitFor(() => isAllHandled(stack), { timeoutMilliseconds: 60_000, what: 'all reminders' });
}

export async function isAllHandled({ sql, clock }: Pick<OwnStack, 'sql' | 'clock'>): Promise<boolean> {
  const [pending] = await sql<{ count: string }>`
    select (select count(*) from tasks.reminder where queued_at is null and remind_at <= ${clock.now()})
      + (select count(*) from auth.reminder_settings where next_digest_at <= ${clock.now()})
      + (select count(*) from jobs.job
        where name in ('reminder', 'push', 'mail') and state in ('created', 'retry', 'active'))
      as count`;
  return Number(pending?.count) === 0;
}
