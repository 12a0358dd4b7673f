/**
 * What `answer` brings, or a rejection with what `onSilence` returns when that takes longer. A busy event loop is not
 * taken for silence: when the time is up, what already lies in a socket is still read before the verdict.
 */
export async function answerWithin<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
  onSilence: () => Error,
): Promise<Answer> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  let verdict: NodeJS.Immediate | undefined;
  // Timers run before the poll phase of a turn of the event loop, immediates after it.
  const timer = setTimeout(() => {
    verdict = setImmediate(() => reject(onSilence()));
  }, milliseconds);
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
    clearImmediate(verdict);
  }
}
