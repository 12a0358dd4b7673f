import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '#shared/time/clock.ts';
import type { Config } from '../config/config.ts';
import { deleteExpiredGrants } from '../connected-apps/grant-repository.ts';
import { deleteOldAuditEvents, deleteUnusedClients, expiredRows } from './expired-record-repository.ts';

const batchSize = 500;

/** A registration that no grant uses lives this long (specification §7). */
const unusedClientSeconds = 7 * 86_400;

/** One batch: how many records it removed. */
type RemoveBatch = (em: EntityManager, now: Date, limit: number) => Promise<number>;

/**
 * Removes what no longer counts, and answers how many of each kind: by the name of their table. Any number of
 * sweepers may work at once: they share the records, each batch in a statement of its own, and wait for nobody.
 * What fails keeps nothing else from being removed; an AggregateError tells of it afterwards.
 * A sweep that is aborted ends after the batch under way.
 */
export async function sweepExpired(
  em: EntityManager,
  clock: Clock,
  config: Pick<Config, 'auditRetentionSeconds'>,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  const now = clock.now();
  const removed: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [table, removeBatch] of Object.entries(batchesOf(config))) {
    try {
      removed[table] = await removeAll((limit) => removeBatch(em.fork(), now, limit), signal);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0) return removed;
  const [cause] = failures;
  throw new AggregateError(failures, 'some records that ended could not be removed', { cause });
}

/** In this order: tokens go before the grants that would take them along in one go, clients after what used them. */
function batchesOf({ auditRetentionSeconds }: Pick<Config, 'auditRetentionSeconds'>) {
  return {
    oauth_token: expiredRows('oauth_token', 'token_hash'),
    oauth_interaction: expiredRows('oauth_interaction', 'uid_hash'),
    oauth_grant: deleteExpiredGrants,
    browser_session: expiredRows('browser_session', 'id'),
    revoked_access_token: expiredRows('revoked_access_token', 'jti'),
    audit_event: (em, now, limit) => deleteOldAuditEvents(em, before(now, auditRetentionSeconds), limit),
    oauth_client: (em, now, limit) => deleteUnusedClients(em, before(now, unusedClientSeconds), limit),
  } satisfies Record<string, RemoveBatch>;
}

/** Batches until one is not full: what it left is locked by others, who will remove it or still use it. */
async function removeAll(
  removeBatch: (limit: number) => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0;
  while (!signal?.aborted) {
    const count = await removeBatch(batchSize);
    total += count;
    if (count < batchSize) break;
  }
  return total;
}

function before(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1_000);
}
