/** A key is good for so long; then it is free again. */
const retentionMilliseconds = 24 * 3_600 * 1_000;

/** Answers kept later than this are given again, all others are to be removed. */
export function keptAfter(now: Date): Date {
  return new Date(now.getTime() - retentionMilliseconds);
}
