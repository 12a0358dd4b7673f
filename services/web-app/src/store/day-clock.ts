import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { todayIn } from '../dates/civil-date.ts';

/** Polls instead of a timer until midnight: the clock may change, and the device may sleep. */
const lookMilliseconds = 2_000;
const minuteMilliseconds = 60_000;

/** The civil date in the account's time zone, and the current minute. */
export function createDayClock(timeZone: ReadonlySignal<string>, now: () => Date) {
  const looks = signal(0);
  const today = computed(() => {
    looks.value;
    return todayIn(timeZone.value, now());
  });
  const minutes = computed(() => {
    looks.value;
    return Math.floor(now().getTime() / minuteMilliseconds);
  });
  const minute = computed(() => new Date(minutes.value * minuteMilliseconds));
  /** Reads the clock periodically, and when the page becomes visible. */
  const check = (): void => {
    looks.value += 1;
  };
  const timer = setInterval(check, lookMilliseconds);
  return { today, minute, check, stop: () => clearInterval(timer) };
}
