import type { Task } from '#tests/support/api-types.ts';

/** How many tasks a copy lacks, has too many, or has otherwise than they are stored. */
export function mirrorFaults(copies: readonly Task[], stored: readonly Task[]): number {
  const copied = new Map(copies.map((task) => [task.id, JSON.stringify(task)]));
  const different = stored.filter((task) => copied.get(task.id) !== JSON.stringify(task)).length;
  const known = new Set(stored.map(({ id }) => id));
  return different + copies.filter(({ id }) => !known.has(id)).length;
}
