/** Where the present comes from. Code takes a clock instead of reading the time, so that any day can be tried. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
