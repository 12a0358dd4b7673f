const maximumSeconds = 60;

/** The server's Retry-After plus up to two seconds; otherwise 1, 2, 4 … 60 s, half of it random. */
export function backOffMilliseconds(failures: number, retryAfterSeconds: number | null): number {
  const chance = Math.random();
  if (retryAfterSeconds !== null) return (retryAfterSeconds + 2 * chance) * 1000;
  const seconds = Math.min(maximumSeconds, 2 ** Math.max(0, failures - 1));
  return seconds * (0.5 + chance / 2) * 1000;
}
