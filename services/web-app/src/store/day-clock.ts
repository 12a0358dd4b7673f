import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { todayIn } from '../dates/civil-date.ts';

/** Not a timer until midnight: the clock may be changed, and the device may sleep. */
const lookMilliseconds = 10_000;

export type DayClock = {
  today: ReadonlySignal<string>;
  /** Looks at the clock again: now and then, and whenever the page becomes visible. */
  check(): void;
  stop(): void;
};

/** The civil date in the account's time zone. */
export function createDayClock(timeZone: ReadonlySignal<string>, now: () => Date): DayClock {
  const looks = signal(0);
  const today = computed(() => {
    looks.value;
    return todayIn(timeZone.value, now());
  });
  const check = () => {
    looks.value += 1;
  };
  const timer = setInterval(check, lookMilliseconds);
  return { today, check, stop: () => clearInterval(timer) };
}
