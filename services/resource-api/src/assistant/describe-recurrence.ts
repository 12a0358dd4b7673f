type Recurrence = {
  frequency: 'daily' | 'weekly' | 'monthly' | 'yearly';
  interval: number;
  weekdays: readonly string[];
  fromCompletion: boolean;
};

const units = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' } as const;

/** «every 2 weeks on monday, thursday, counted from completion» */
export function describeRecurrence({ frequency, interval, weekdays, fromCompletion }: Recurrence): string {
  const unit = units[frequency];
  const every = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`;
  const days = weekdays.length === 0 ? '' : ` on ${weekdays.join(', ')}`;
  return `${every}${days}${fromCompletion ? ', counted from completion' : ''}`;
}
