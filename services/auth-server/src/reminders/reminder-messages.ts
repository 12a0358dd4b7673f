import { hash } from 'node:crypto';
import type { PushPayload } from '#shared/app/push-payload.ts';
import type { ReminderKey } from '#shared/jobs/reminder-job.ts';
import type { MailContent } from '../mail/mail-messages.ts';
import type { PushMessage } from './push-sender.ts';
import type { DueReminder } from './reminder-repository.ts';

/** RFC 8291 §4: a message has room for 3,993 bytes. */
const longestTitle = 200;
const digestTitles = 5;
export const remindersPath = '/settings/reminders';

/** What the service worker shows; encrypted for the browser. */
export function pushMessageOf(reminder: DueReminder): PushMessage {
  const topic = hash('sha256', `${reminder.subjectId} ${reminder.civilTime}`, 'base64url').slice(0, 32);
  const payload: PushPayload =
    reminder.kind === 'task'
      ? {
          kind: 'task',
          tag: topic,
          taskId: reminder.subjectId,
          title: shorten(reminder.title),
          dueDate: reminder.dueDate,
          time: reminder.time,
          timezone: reminder.timezone,
        }
      : {
          kind: 'digest',
          tag: topic,
          count: reminder.count,
          titles: reminder.tasks.slice(0, digestTitles).map(({ title }) => shorten(title)),
        };
  return { payload: JSON.stringify(payload), topic };
}

export function reminderMail(reminder: DueReminder, baseUrl: string, unsubscribeUrl: string): MailContent {
  const subscription = { settingsUrl: `${baseUrl}${remindersPath}`, unsubscribeUrl };
  if (reminder.kind === 'task') {
    const { title, time, dueDate, subjectId, timezone } = reminder;
    const subject = shorten(oneLine(title));
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
    text: oneLine(title),
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

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= longestTitle ? text : `${characters.slice(0, longestTitle).join('')}…`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
