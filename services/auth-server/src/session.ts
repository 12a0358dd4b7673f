import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '#shared/time/clock.ts';
import type { Origin } from './audit/origin.ts';

/** What a service function works with: a unit of work of its own, the present, and where the wish comes from. */
export type Session = { em: EntityManager; clock: Clock; origin: Origin };

export function openSession(context: { em: EntityManager; clock: Clock }, origin: Origin): Session {
  return { em: context.em.fork(), clock: context.clock, origin };
}
