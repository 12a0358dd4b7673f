import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { todayIn } from '../dates/civil-date.ts';

/** Where the clock is changed, midnight may come earlier than it seemed: looked at again this often. */
const longestWait = 15 * 60_000;

export type DayClock = {
  today: ReadonlySignal<string>;
  /** Looks at the clock again: at midnight, and whenever the page becomes visible. */
  check(): void;
  stop(): void;
};

/** The civil date in the account's time zone. */
export function createDayClock(timeZone: ReadonlySignal<string>, now: () => Date): DayClock {
  const tick = signal(0);
  const today = computed(() => {
    tick.value;
    return todayIn(timeZone.value, now());
  });
  const check = () => {
    tick.value += 1;
  };
  let timer = setTimeout(tickLater, 0);
  function tickLater(): void {
    check();
    timer = setTimeout(tickLater, Math.min(untilMidnight(timeZone.value, now()), longestWait));
  }
  return { today, check, stop: () => clearTimeout(timer) };
}

function untilMidnight(timeZone: string, now: Date): number {
  const options = {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  } as const;
  const parts = new Intl.DateTimeFormat('en', options).formatToParts(now);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value ?? 0);
  return (86_400 - part('hour') * 3600 - part('minute') * 60 - part('second')) * 1000;
}
