import { useState } from 'preact/hooks';
import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import { addDays, atUtc } from '../dates/civil-date.ts';
import { weekdayNames } from '../dates/weekday-names.ts';
import { pickerWords as words } from '../words/picker-words.ts';

const monday = '2024-01-01';
const weekdayLong = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
const frequencies = ['daily', 'weekly', 'monthly', 'yearly'] as const;
const everyWeek: AppRecurrence = { frequency: 'weekly', interval: 1, weekdays: [], fromCompletion: false };

type RepeatFieldsProps = { recurrence: AppRecurrence | null; onSet: (recurrence: AppRecurrence) => void };

/** A rule put together by hand. */
export function RepeatFields({ recurrence, onSet }: RepeatFieldsProps) {
  const [rule, setRule] = useState(recurrence ?? everyWeek);
  const isWeekly = rule.frequency === 'weekly';
  const toggle = (name: string) =>
    setRule({
      ...rule,
      weekdays: weekdayNames.filter((day) => rule.weekdays.includes(day) !== (day === name)),
    });
  return (
    <form
      class="pick-fields"
      onSubmit={(event) => {
        event.preventDefault();
        const { weekOfMonth, ...plain } = rule;
        if (rule.frequency === 'monthly' && weekOfMonth !== undefined) onSet(rule);
        else onSet(isWeekly ? plain : { ...plain, weekdays: [] });
      }}
    >
      <label>
        {words.every}
        <input
          type="number"
          min="1"
          max="999"
          required
          aria-label={words.interval}
          value={rule.interval}
          onInput={(event) => setRule({ ...rule, interval: event.currentTarget.valueAsNumber || 1 })}
        />
      </label>
      <select
        aria-label={words.unit}
        value={rule.frequency}
        onChange={(event) => {
          const frequency = frequencies.find((each) => each === event.currentTarget.value) ?? 'weekly';
          setRule({ ...rule, frequency });
        }}
      >
        {frequencies.map((frequency) => (
          <option key={frequency} value={frequency}>
            {words.units[frequency]}
          </option>
        ))}
      </select>
      {isWeekly && (
        <fieldset class="week-days" aria-label={words.onDays}>
          {weekdayNames.map((name, index) => {
            const label = weekdayLong.format(atUtc(addDays(monday, index)));
            return (
              <button
                key={name}
                type="button"
                aria-pressed={rule.weekdays.includes(name)}
                onClick={() => toggle(name)}
              >
                <span aria-hidden="true">{label.slice(0, 2)}</span>
                <span class="vh">{label}</span>
              </button>
            );
          })}
        </fieldset>
      )}
      <label>
        <input
          type="checkbox"
          checked={rule.fromCompletion}
          onChange={(event) => setRule({ ...rule, fromCompletion: event.currentTarget.checked })}
        />
        {words.fromCompletion}
      </label>
      <button type="submit" class="btn primary">
        {words.setRepeat}
      </button>
    </form>
  );
}
