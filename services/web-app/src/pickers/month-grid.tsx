import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { addDays, weekday } from '../dates/civil-date.ts';
import { formatLongDate, formatMonth } from '../dates/format-calendar.ts';
import { longWeekday, shortWeekday } from '../dates/format-day.ts';
import { startOfMonth } from '../dates/start-of-month.ts';
import { pickerWords as words } from '../words/picker-words.ts';

const week = [0, 1, 2, 3, 4, 5, 6];

type MonthGridProps = { selected: string | null; today: string; onPick: (date: string) => void };

/** A month, Monday first: one tab stop; arrows go by day and week, Home and End within it, Page by month. */
export function MonthGrid({ selected, today, onPick }: MonthGridProps) {
  const [focused, setFocused] = useState(selected ?? today);
  const [isSteered, setSteered] = useState(false);
  const grid = useRef<HTMLTableElement>(null);
  const month = startOfMonth(focused);
  const first = addDays(month, 1 - weekday(month));
  // The last week of the last year ends early.
  const dates = [...new Set(Array.from({ length: 42 }, (_, day) => addDays(first, day)))];
  const steps = new Map([
    ['ArrowLeft', () => addDays(focused, -1)],
    ['ArrowRight', () => addDays(focused, 1)],
    ['ArrowUp', () => addDays(focused, -7)],
    ['ArrowDown', () => addDays(focused, 7)],
    ['Home', () => addDays(focused, 1 - weekday(focused))],
    ['End', () => addDays(focused, 7 - weekday(focused))],
    ['PageUp', () => addMonths(focused, -1)],
    ['PageDown', () => addMonths(focused, 1)],
  ]);
  useLayoutEffect(() => {
    if (isSteered) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [focused, isSteered]);

  function keyDown(event: KeyboardEvent): void {
    const step = steps.get(event.key);
    if (step === undefined) return;
    event.preventDefault();
    setSteered(true);
    setFocused(step());
  }

  function turn(months: number): void {
    setSteered(false);
    setFocused(startOfMonth(focused, months));
  }

  return (
    <div class="month-grid">
      <div class="month-head">
        <span aria-live="polite">{formatMonth(month, null)}</span>
        <button type="button" class="icon-btn" aria-label={words.previousMonth} onClick={() => turn(-1)}>
          <Icon name="back" />
        </button>
        <button type="button" class="icon-btn" aria-label={words.nextMonth} onClick={() => turn(1)}>
          <Icon name="chev" />
        </button>
      </div>
      <table ref={grid} aria-label={formatMonth(month, null)} onKeyDown={keyDown}>
        <thead>
          <tr>
            {week.map((day) => (
              <th key={day} scope="col" abbr={longWeekday(addDays(first, day))}>
                {shortWeekday(addDays(first, day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[0, 1, 2, 3, 4, 5].map((row) => (
            <tr key={row}>
              {dates.slice(7 * row, 7 * row + 7).map((date) => (
                <td key={date}>
                  <button
                    type="button"
                    class={classOf(date, today, month)}
                    tabIndex={date === focused ? 0 : -1}
                    aria-current={date === today ? 'date' : undefined}
                    aria-pressed={date === selected}
                    aria-label={formatLongDate(date, today)}
                    onClick={() => onPick(date)}
                  >
                    {Number(date.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The same day of that month, or its last. */
function addMonths(date: string, months: number): string {
  const same = startOfMonth(date, months).slice(0, 8) + date.slice(8);
  const last = addDays(startOfMonth(date, months + 1), -1);
  return same < last ? same : last;
}

function classOf(date: string, today: string, month: string): string | undefined {
  if (date === today) return 'is-today';
  return date.slice(0, 7) === month.slice(0, 7) ? undefined : 'is-other';
}
