/** The current time, injected for tests. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
