import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '#shared/time/clock.ts';
import { type Origin, requestOrigin } from './audit/audit-trail.ts';

/** What a service function works with: a unit of work, the clock, and the origin of the change. */
export type Session = { em: EntityManager; clock: Clock; origin: Origin };

export function openSession(context: { em: EntityManager; clock: Clock }, origin: Origin): Session {
  return { em: context.em.fork(), clock: context.clock, origin };
}

/** For what an account's owner does in a browser. */
export function openOwnerSession(
  context: { em: EntityManager; clock: Clock; config: { trustedProxyHops: number } },
  req: IncomingMessage,
): Session {
  return openSession(context, requestOrigin(req, context.config.trustedProxyHops, 'owner'));
}
