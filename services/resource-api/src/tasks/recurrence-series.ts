// Series as arithmetic on civil dates. Each function returns the first member on or after `earliest`, which
// is not before the anchor, calculated from the anchor: from member to member, a day clamped in a short month
// would stay clamped.

export function firstOfDaySeries(
  interval: number,
  anchor: Temporal.PlainDate,
  earliest: Temporal.PlainDate,
): Temporal.PlainDate {
  const steps = Math.ceil(daysApart(anchor, earliest) / interval);
  return anchor.add({ days: steps * interval });
}

/**
 * Every listed day (ISO numbers, Monday 1) of every `interval`th week. The anchor's week, from its Monday, is
 * the first; its days before the anchor are skipped.
 */
export function firstOfWeekSeries(
  interval: number,
  listedDays: readonly number[],
  anchor: Temporal.PlainDate,
  earliest: Temporal.PlainDate,
): Temporal.PlainDate {
  const firstMonday = mondayOf(anchor);
  const weeksPassed = daysApart(firstMonday, mondayOf(earliest)) / 7;
  const weeksIntoInterval = weeksPassed % interval;
  const laterThisWeek = listedDays.filter((day) => day >= earliest.dayOfWeek);
  if (weeksIntoInterval === 0 && laterThisWeek.length > 0) {
    return earliest.add({ days: Math.min(...laterThisWeek) - earliest.dayOfWeek });
  }
  const nextCountedWeek = weeksPassed - weeksIntoInterval + interval;
  return firstMonday.add({ days: 7 * nextCountedWeek + Math.min(...listedDays) - 1 });
}

/** `add` clamps a missing day to the month's last one (SKIP=BACKWARD of RFC 7529 §4.1). */
export function firstOfMonthSeries(
  interval: number,
  anchor: Temporal.PlainDate,
  earliest: Temporal.PlainDate,
): Temporal.PlainDate {
  return firstOfMonths(interval, anchor, earliest, (months) => anchor.add({ months }));
}

/** The weekday of that week in every `interval`th month, whatever the anchor's day. */
export function firstOfWeekdaySeries(
  interval: number,
  listedDays: readonly number[],
  weekOfMonth: number,
  anchor: Temporal.PlainDate,
  earliest: Temporal.PlainDate,
): Temporal.PlainDate {
  const [dayOfWeek = anchor.dayOfWeek] = listedDays;
  const firstMonth = anchor.with({ day: 1 });
  return firstOfMonths(interval, anchor, earliest, (months) =>
    weekdayOfMonth(firstMonth.add({ months }), dayOfWeek, weekOfMonth),
  );
}

/** `dateAfter`: the member so many months after the anchor's. */
function firstOfMonths(
  interval: number,
  anchor: Temporal.PlainDate,
  earliest: Temporal.PlainDate,
  dateAfter: (months: number) => Temporal.PlainDate,
): Temporal.PlainDate {
  const monthsPassed = 12 * (earliest.year - anchor.year) + earliest.month - anchor.month;
  const months = monthsPassed - (monthsPassed % interval);
  const candidate = dateAfter(months);
  return Temporal.PlainDate.compare(candidate, earliest) >= 0 ? candidate : dateAfter(months + interval);
}

/** `month` is its first day. */
function weekdayOfMonth(
  month: Temporal.PlainDate,
  dayOfWeek: number,
  weekOfMonth: number,
): Temporal.PlainDate {
  if (weekOfMonth === -1) {
    const last = month.with({ day: month.daysInMonth });
    return last.subtract({ days: (last.dayOfWeek - dayOfWeek + 7) % 7 });
  }
  return month.add({ days: ((dayOfWeek - month.dayOfWeek + 7) % 7) + 7 * (weekOfMonth - 1) });
}

function mondayOf(date: Temporal.PlainDate): Temporal.PlainDate {
  return date.subtract({ days: date.dayOfWeek - 1 });
}

function daysApart(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return from.until(to, { largestUnit: 'day' }).days;
}
