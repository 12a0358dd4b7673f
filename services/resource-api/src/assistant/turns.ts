export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs what it is given one after another, so that a batch takes no more of the process at a time than a single
 * message. Once nobody waits for the answers, what is left is not begun.
 */
export function createTurns(gone: AbortSignal): InTurn {
  let latest: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = latest.then(() => {
      gone.throwIfAborted();
      return work();
    });
    latest = turn.catch(() => {});
    return turn;
  };
}
