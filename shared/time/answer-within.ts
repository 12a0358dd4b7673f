/**
 * What `answer` brings, or a rejection with what `onSilence` returns when that takes longer. A busy event loop is not
 * taken for silence: when the time is up, what already lies in a socket is still read before the verdict.
 */
export function answerWithin<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
  onSilence: () => Error,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let verdict: NodeJS.Immediate | undefined;
    // Timers run before the poll phase of a turn of the event loop, immediates after it.
    const timer = setTimeout(() => {
      verdict = setImmediate(() => reject(onSilence()));
    }, milliseconds);
    const endWait = (): void => {
      clearTimeout(timer);
      clearImmediate(verdict);
    };
    answer.then(
      (value) => {
        endWait();
        resolve(value);
      },
      (failure: unknown) => {
        endWait();
        reject(failure);
      },
    );
  });
}
