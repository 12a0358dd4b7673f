import type { Store } from '../store/store.ts';
import { capital } from '../words/capital.ts';
import { timeIn, todayIn } from './civil-date.ts';
import { formatDay } from './format-day.ts';

const relative = new Intl.RelativeTimeFormat('en', { style: 'short' });
const hourMilliseconds = 3_600_000;

/** «2 min. ago» within the hour, today's time, the weekday or date before: in the account's time zone. */
export function formatTime(timestamp: string, store: Pick<Store, 'timeZone' | 'minute'>): string {
  const [timeZone, now] = [store.timeZone.value, store.minute.value];
  const at = new Date(timestamp);
  const elapsed = now.getTime() - at.getTime();
  if (elapsed < 60_000) return 'just now';
  if (elapsed < hourMilliseconds) return relative.format(-Math.floor(elapsed / 60_000), 'minute');
  const [day, today] = [todayIn(timeZone, at), todayIn(timeZone, now)];
  return day === today ? timeIn(timeZone, at) : formatDayHeading(day, today);
}

/** «Today», «Yesterday», «21 Nov»: headings of days. */
export function formatDayHeading(day: string, today: string): string {
  return capital(formatDay(day, today));
}
