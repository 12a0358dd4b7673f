const maximumSeconds = 60;

/** What the server asked for and up to two seconds more; else 1, 2, 4 … 60 s, of which a half is chance. */
export function backOffMilliseconds(failures: number, retryAfterSeconds: number | null): number {
  const chance = Math.random();
  if (retryAfterSeconds !== null) return (retryAfterSeconds + 2 * chance) * 1000;
  const seconds = Math.min(maximumSeconds, 2 ** Math.max(0, failures - 1));
  return seconds * (0.5 + chance / 2) * 1000;
}
