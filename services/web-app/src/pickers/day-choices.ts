import type { IconName } from '../components/icon.tsx';
import { addDays, weekday } from '../dates/civil-date.ts';
import { formatDate } from '../dates/format-calendar.ts';
import { choice, type LabelledChoice } from '../overlays/titled-choice.tsx';
import { pickerWords as words } from '../words/picker-words.ts';
import { screenWords } from '../words/screen-words.ts';

/** The days that are asked for most, with their dates, in this order. */
export function dayChoices(today: string, pick: (date: string) => void): LabelledChoice[] {
  const isWeekend = weekday(today) >= 6;
  const days: [IconName, string, string][] = [
    ['today', screenWords.today, today],
    ['upcoming', words.tomorrow, addDays(today, 1)],
    isWeekend
      ? ['upcoming', words.nextWeekend, addDays(today, 13 - weekday(today))]
      : ['upcoming', words.thisWeekend, addDays(today, 6 - weekday(today))],
    ['upcoming', words.nextWeek, addDays(today, 8 - weekday(today))],
  ];
  days.sort(([, , a], [, , b]) => a.localeCompare(b));
  return days.map(([icon, label, date]) =>
    choice(label, icon, label, () => pick(date), formatDate(date, today)),
  );
}
