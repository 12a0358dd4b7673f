export type WorkTurns = {
  /** Runs the work when it is its turn; rejects at once, without running it, when too much waits already. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
};

/** At most `atOnce` pieces of work run and `waiting` more wait, in the order they came. */
export function createWorkTurns(options: {
  atOnce: number;
  waiting: number;
  /** What work is refused with. */
  refusal: () => Error;
}): WorkTurns {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async take(work) {
      if (running >= options.atOnce) {
        if (queue.length >= options.waiting) throw options.refusal();
        await new Promise<void>((resolve) => queue.push(resolve));
      } else running++;
      try {
        return await work();
      } finally {
        // The place goes to whoever waits longest, without being free in between.
        const next = queue.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
