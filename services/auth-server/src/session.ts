import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Revoker } from '#shared/admission/revoker.ts';
import type { Clock } from '#shared/time/clock.ts';
import { type Origin, requestOrigin } from './audit/audit-trail.ts';
import { query } from './database/query.ts';

/** The arguments of service functions: a unit of work, the clock, and the origin of the change. */
export type Session = { em: EntityManager; clock: Clock; origin: Origin; revoker: Revoker };

type SessionContext = Pick<Session, 'em' | 'clock' | 'revoker'>;

export function openSession({ em, clock, revoker }: SessionContext, origin: Origin): Session {
  return { em: em.fork(), clock, revoker, origin };
}

/** For actions of an account's owner in a browser. */
export function openOwnerSession(
  context: SessionContext & { config: { trustedProxyHops: number } },
  req: IncomingMessage,
): Session {
  return openSession(context, requestOrigin(req, context.config.trustedProxyHops, 'owner'));
}

/**
 * Runs `work` in a transaction that changes what tokens of the accounts it `affects` may do. Resolves when no
 * request is authorised by the earlier state any more: a client that gets its response can rely on it.
 * Changes made before count too.
 */
export async function runRevocation<Result>(
  session: Session,
  work: (within: Session, affects: (...accountIds: string[]) => void) => Promise<Result>,
): Promise<Result> {
  const affected: string[] = [];
  const result = await session.em.transactional((em) =>
    work({ ...session, em }, (...accountIds) => void affected.push(...accountIds)),
  );
  await session.revoker.confirm(affected, performance.now());
  return result;
}

/** Accounts changed in the last ten seconds: a change of unknown outcome may be among them. */
export async function recentlyChangedAccounts({ em }: Pick<Session, 'em'>): Promise<string[]> {
  const rows = await query(em)<{ accountId: string }>`
    select distinct account_id as "accountId" from auth.principal_change
    where changed_at > clock_timestamp() - interval '10 seconds' and account_id is not null`;
  return rows.map(({ accountId }) => accountId);
}
