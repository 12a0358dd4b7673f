import { useState } from 'preact/hooks';
import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import { addDays, weekday } from '../dates/civil-date.ts';
import { longWeekday } from '../dates/format-day.ts';
import { weekdayNames } from '../dates/weekday-names.ts';
import { pickerWords as words } from '../words/picker-words.ts';

const monday = '2024-01-01';
const weekdays = weekdayNames.map((name, index) => ({
  name,
  label: longWeekday(addDays(monday, index)),
}));
const frequencies = ['daily', 'weekly', 'monthly', 'yearly'] as const;
const everyWeek: AppRecurrence = { frequency: 'weekly', interval: 1, weekdays: [], fromCompletion: false };

type RepeatFieldsProps = {
  recurrence: AppRecurrence | null;
  /** Date of an occurrence. */
  date: string;
  onSet: (recurrence: AppRecurrence) => void;
};

export function RepeatFields({ recurrence, date, onSet }: RepeatFieldsProps) {
  const [rule, setRule] = useState(recurrence ?? everyWeek);
  /** The typed text, so that a field may be empty while a number is replaced. */
  const [interval, setTypedInterval] = useState(String(rule.interval));
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
        onSet({ ...rule, interval: Number(interval) });
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
          value={interval}
          onInput={(event) => setTypedInterval(event.currentTarget.value)}
        />
      </label>
      <select
        aria-label={words.unit}
        value={rule.frequency}
        onChange={(event) => {
          const frequency = frequencies.find((each) => each === event.currentTarget.value) ?? 'weekly';
          setRule({ ...withoutDays(rule), frequency });
        }}
      >
        {frequencies.map((frequency) => (
          <option key={frequency} value={frequency}>
            {words.units[frequency]}
          </option>
        ))}
      </select>
      {rule.frequency === 'weekly' && (
        <fieldset class="week-days" aria-label={words.onDays}>
          {weekdays.map(({ name, label }) => (
            <button
              key={name}
              type="button"
              aria-pressed={rule.weekdays.includes(name)}
              onClick={() => toggle(name)}
            >
              <span aria-hidden="true">{label.slice(0, 2)}</span>
              <span class="vh">{label}</span>
            </button>
          ))}
        </fieldset>
      )}
      {rule.frequency === 'monthly' && <DayOfMonth rule={rule} date={date} onRule={setRule} />}
      <label>
        {words.until}
        <input
          type="date"
          min={date}
          max="9999-12-31"
          value={rule.until ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const { until: _present, ...endless } = rule;
            setRule(value === '' ? endless : { ...endless, until: value });
          }}
        />
      </label>
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

type DayOfMonthProps = { rule: AppRecurrence; date: string; onRule: (rule: AppRecurrence) => void };

/** The same day of each month, or a weekday counted from its start or end. */
function DayOfMonth({ rule, date, onRule }: DayOfMonthProps) {
  const own = weekdayNames[weekday(date) - 1] ?? 'monday';
  const [day = own] = rule.weekdays;
  return (
    <>
      <select
        aria-label={words.week}
        value={rule.weekOfMonth ?? 0}
        onChange={(event) => {
          const week = Number(event.currentTarget.value);
          onRule(week === 0 ? withoutDays(rule) : { ...rule, weekOfMonth: week, weekdays: [day] });
        }}
      >
        {words.weeks.map(([week, label]) => (
          <option key={week} value={week}>
            {label}
          </option>
        ))}
      </select>
      {rule.weekOfMonth !== undefined && (
        <select
          aria-label={words.weekday}
          value={day}
          onChange={(event) => onRule({ ...rule, weekdays: [event.currentTarget.value] })}
        >
          {weekdays.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

function withoutDays({ weekOfMonth: _week, ...rule }: AppRecurrence): AppRecurrence {
  return { ...rule, weekdays: [] };
}
