import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { todayIn } from '../dates/civil-date.ts';

export type DayClock = {
  today: ReadonlySignal<string>;
  /** Looks at the clock again: at midnight, and whenever the page becomes visible. */
  check(): void;
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
  return { today, check };
}
