import test from 'ava';
import { hintOnReminderTime } from '#resource-api/assistant/reminder-hint.ts';

/** Of a reminder in the night in which Berlin leaves summer time. */
function hintOn(day: string, reminderTime: string, now: string): string {
  const account = { id: '', status: 'active', plan: 'free', timezone: 'Europe/Berlin' } as const;
  const task = { dueDate: day, reminderTime };
  return hintOnReminderTime({ account, now: new Date(now) }, task, task);
}

test('when an hour comes twice, a reminder whose first time is past is said to be past', (t) => {
  const [first, second] = ['2035-10-28T00:10:00Z', '2035-10-28T01:10:00Z'];
  t.is(hintOn('2035-10-28', '02:30', first), '');
  t.regex(hintOn('2035-10-28', '02:30', second), /is past/);
  t.regex(hintOn('2035-10-28', '02:10', '2035-10-28T00:11:00Z'), /is past/);
  t.is(hintOn('2035-10-28', '02:10', '2035-10-28T00:10:59.999Z'), '');
});
