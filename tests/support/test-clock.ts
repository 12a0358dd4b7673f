import type { Clock } from '#shared/time/clock.ts';

/** A clock that a test can set; at first it shows the real time. */
export type TestClock = Clock & {
  /** Stands still at this instant. */
  set(instant: string | Date): void;
  /** Moves a standing clock; shifts a running one. */
  advance(milliseconds: number): void;
  /** The real time again. */
  reset(): void;
};

export function createTestClock(): TestClock {
  let standingAt: number | undefined;
  let shift = 0;
  return {
    now: () => new Date(standingAt ?? Date.now() + shift),
    set(instant) {
      standingAt = new Date(instant).getTime();
    },
    advance(milliseconds) {
      if (standingAt === undefined) shift += milliseconds;
      else standingAt += milliseconds;
    },
    reset() {
      standingAt = undefined;
      shift = 0;
    },
  };
}
