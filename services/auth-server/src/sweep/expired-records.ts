import type { EntityManager } from '@mikro-orm/postgresql';
import { type RemoveBatch, removeInBatches } from '#shared/sweep/remove-in-batches.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Config } from '../config/config.ts';
import { deleteExpiredGrants } from '../oauth/grant-repository.ts';
import { deleteOldAuditEvents, deleteUnusedClients, expiredRows } from './expired-record-repository.ts';

/** A registration that no grant uses lives this long (specification §7). */
const unusedClientSeconds = 7 * 86_400;

/**
 * Removes what no longer counts, and answers how many of each kind: by the name of their table. Any number of
 * sweeps may go on at once: they share the records, each batch in a statement of its own, and wait for nobody.
 * Fails and ends early as `removeInBatches` does.
 */
export function sweepExpired(
  em: EntityManager,
  clock: Clock,
  config: Pick<Config, 'auditRetentionSeconds'>,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  const now = clock.now();
  const batches = Object.entries(removalsOf(config)).map(([table, remove]): [string, RemoveBatch] => [
    table,
    (limit) => remove(em.fork(), now, limit),
  ]);
  return removeInBatches(Object.fromEntries(batches), signal);
}

type Remove = (em: EntityManager, now: Date, limit: number) => Promise<number>;

/** In this order: tokens go before the grants that would take them along in one go, clients after what used them. */
function removalsOf({ auditRetentionSeconds }: Pick<Config, 'auditRetentionSeconds'>) {
  return {
    oauth_token: expiredRows('oauth_token', 'token_hash'),
    oauth_interaction: expiredRows('oauth_interaction', 'uid_hash'),
    oauth_grant: deleteExpiredGrants,
    browser_session: expiredRows('browser_session', 'id'),
    revoked_access_token: expiredRows('revoked_access_token', 'jti'),
    audit_event: (em, now, limit) => deleteOldAuditEvents(em, before(now, auditRetentionSeconds), limit),
    oauth_client: (em, now, limit) => deleteUnusedClients(em, before(now, unusedClientSeconds), limit),
  } satisfies Record<string, Remove>;
}

function before(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1_000);
}
