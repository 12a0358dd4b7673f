import type { EntityManager } from '@mikro-orm/postgresql';
import { removeInBatches } from '#shared/sweep/remove-in-batches.ts';
import type { Clock } from '#shared/time/clock.ts';
import { deleteOldAnswers } from './kept-answer-repository.ts';
import { keptAfter } from './retention.ts';

/** Removes the answers whose time is over: they hold what people wrote. Fails and ends early as `removeInBatches` does. */
export function sweepKeptAnswers(
  em: EntityManager,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  const keptUntil = keptAfter(clock.now());
  return removeInBatches({ kept_answer: (limit) => deleteOldAnswers(em.fork(), keptUntil, limit) }, signal);
}
