export type FetchTurns = { run<Result>(work: () => Promise<Result>): Promise<Result> };

export class TurnTimeoutError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TurnTimeoutError';
  }
}

/** Runs at most `atOnce` pieces of work at a time, in order; throws TurnTimeoutError when a turn does not come in time. */
export function createFetchTurns({
  atOnce,
  waitMilliseconds,
}: {
  atOnce: number;
  waitMilliseconds: number;
}): FetchTurns {
  const waiting: (() => void)[] = [];
  let free = atOnce;

  async function takeTurn(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise: turn, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(new TurnTimeoutError(`more than ${atOnce} fetches were under way for ${waitMilliseconds} ms`));
    }, waitMilliseconds);
    waiting.push(resolve);
    await turn.finally(() => clearTimeout(timer));
  }

  /** The place goes straight to whoever waited longest. */
  function endTurn(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async run(work) {
      await takeTurn();
      try {
        return await work();
      } finally {
        endTurn();
      }
    },
  };
}
