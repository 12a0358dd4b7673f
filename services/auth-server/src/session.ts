import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '#shared/time/clock.ts';

/** What a service function works with: a unit of work of its own, and the present. */
export type Session = { em: EntityManager; clock: Clock };

export function openSession({ em, clock }: Session): Session {
  return { em: em.fork(), clock };
}
