/** Returns what `work` returns, or undefined after this time; `work` then goes on. */
export async function waitAtMost<Result>(
  milliseconds: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  const { promise: expired, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), milliseconds);
  return await Promise.race([work, expired]).finally(() => clearTimeout(timer));
}
