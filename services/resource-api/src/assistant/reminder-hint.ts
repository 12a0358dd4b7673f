import type { Session } from '../session.ts';
import type { BriefTask } from './brief-task.ts';
import type { ToolCall } from './tool.ts';

type Reminding = { status?: string; inTrash?: boolean; reminderTime?: string | null | undefined };

/** A line for the response if an open task has a reminder but no channel is set up; otherwise empty. */
export async function hintOnReminders(
  { session, context }: ToolCall,
  tasks: readonly Reminding[],
): Promise<string[]> {
  const reminds = ({ status = 'open', inTrash, reminderTime }: Reminding) =>
    status === 'open' && !inTrash && reminderTime;
  if (!tasks.some(reminds)) return [];
  const { rows } = await session.db.query({
    name: 'find-reminder-channels',
    text: `select from auth.reminder_channel_access where account_id = $1 and (has_push or has_mail)`,
    values: [session.account.id],
  });
  if (rows.length > 0) return [];
  return [
    'Reminders are not set up: nothing will be sent. ' +
      `The person turns them on at ${context.config.baseUrl}/settings/reminders.`,
  ];
}

/** A reminder can be set for the present minute. */
const minuteMilliseconds = 60_000;

type Scheduled = { dueDate?: unknown; reminderTime?: unknown };

/** For a newly planned task whose reminder is never sent, or at another time than stated. */
export function hintOnReminderTime(
  { account, now }: Pick<Session, 'account' | 'now'>,
  planned: Scheduled,
  { dueDate, reminderTime }: Pick<BriefTask, 'dueDate' | 'reminderTime'>,
): string {
  if (!dueDate || !reminderTime || !(planned.dueDate || planned.reminderTime)) return '';
  const sent = Temporal.PlainDateTime.from(`${dueDate}T${reminderTime}`).toZonedDateTime(account.timezone);
  if (sent.epochMilliseconds <= now.getTime() - minuteMilliseconds)
    return ', but the time of its reminder is past: it will not be sent';
  const time = sent.toPlainTime().toString({ smallestUnit: 'minute' });
  return time === reminderTime ? '' : `, but clocks go forward then: its reminder is sent at ${time}`;
}
