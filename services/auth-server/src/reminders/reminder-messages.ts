import { hash } from 'node:crypto';
import type { PushPayload } from '#shared/app/push-payload.ts';
import type { ReminderKey } from '#shared/jobs/reminder-job.ts';
import { shorten } from '../html/text.ts';
import type { MailContent } from '../mail/mail-messages.ts';
import type { PushMessage } from './push-sender.ts';
import type { DueReminder, PushSubscription } from './reminder-repository.ts';

/** A message about reminders of one account, to each of these browsers. */
export type ReminderMessage = PushMessage & { subscriptions: PushSubscription[]; reminders: DueReminder[] };

/** RFC 8291 §4. */
const messageBytes = 3_993;
const longestTitle = 200;
const digestTitles = 5;
const longestDigestTitle = 100;
export const remindersPath = '/settings/reminders';

/**
 * Combines reminders of one account up to the size limit of a message, since encryption is the most expensive
 * step.
 */
export function pushMessagesOf(due: readonly DueReminder[]): ReminderMessage[] {
  return [...Map.groupBy(due, ({ accountId }) => accountId).values()].flatMap(messagesTo);
}

function messagesTo(reminders: readonly DueReminder[]): ReminderMessage[] {
  const groups: { reminder: DueReminder; payload: PushPayload }[][] = [];
  let room = 0;
  for (const reminder of reminders) {
    const payload = payloadOf(reminder);
    const bytes = Buffer.byteLength(JSON.stringify([payload]));
    if (bytes > room) {
      groups.push([]);
      room = messageBytes;
    }
    groups.at(-1)?.push({ reminder, payload });
    room -= bytes;
  }
  return groups.map((group) => {
    const payloads = group.map(({ payload }) => payload);
    return {
      reminders: group.map(({ reminder }) => reminder),
      subscriptions: group[0]?.reminder.subscriptions ?? [],
      payload: JSON.stringify(payloads),
      topic: shortHash(payloads.map(({ tag }) => tag).join()),
    };
  });
}

function payloadOf(reminder: DueReminder): PushPayload {
  const tag = shortHash(`${reminder.subjectId} ${reminder.civilTime}`);
  if (reminder.kind === 'digest') {
    const titles = reminder.tasks
      .slice(0, digestTitles)
      .map(({ title }) => shorten(oneLine(title), longestDigestTitle));
    return { kind: 'digest', tag, count: reminder.count, titles };
  }
  const { subjectId: taskId, title, dueDate, time, timezone } = reminder;
  return { kind: 'task', tag, taskId, title: shorten(oneLine(title), longestTitle), dueDate, time, timezone };
}

/** Maximum length of a topic (RFC 8030 §5.4). */
function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 32);
}

export function reminderMail(reminder: DueReminder, baseUrl: string, unsubscribeUrl: string): MailContent {
  const subscription = { settingsUrl: `${baseUrl}${remindersPath}`, unsubscribeUrl };
  if (reminder.kind === 'task') {
    const { title, time, dueDate, subjectId, timezone } = reminder;
    const subject = shorten(oneLine(title), longestTitle);
    return {
      subject,
      paragraphs: title === subject ? [] : [title],
      facts: [['When', `${formatDay(dueDate)} at ${time} (${timezone})`]],
      link: { label: 'Open the task', url: `${baseUrl}/app/task/${subjectId}` },
      footnote: 'Sent because reminders by mail are on.',
      subscription,
    };
  }
  const { count, tasks, civilTime: today } = reminder;
  const left = count - tasks.length;
  const items = tasks.map(({ id, title, time, date }) => ({
    text: shorten(oneLine(title), longestTitle),
    ...(date < today ? { detail: `since ${formatDay(date)}` } : time !== null && { detail: time }),
    url: `${baseUrl}/app/task/${id}`,
  }));
  return {
    subject: `${formatDay(today)}: ${count} ${count === 1 ? 'task' : 'tasks'}`,
    paragraphs: [],
    list: [...items, ...(left > 0 ? [{ text: `… and ${left} more` }] : [])],
    link: { label: 'Open Today', url: `${baseUrl}/app/` },
    footnote: 'Sent because the daily digest is on, and reminders by mail are.',
    subscription,
  };
}

export function keyOf({ accountId, subjectId, civilTime, remindAt }: ReminderKey): ReminderKey {
  return { accountId, subjectId, civilTime, remindAt };
}

const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

function formatDay(date: string): string {
  return longDay.format(new Date(`${date}T00:00Z`));
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
