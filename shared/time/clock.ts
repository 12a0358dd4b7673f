/** The current time, injected for tests. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** The time that many seconds later; before, if they are negative. */
export function addSeconds(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1_000);
}
