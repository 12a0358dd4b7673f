import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Revoker } from '#shared/admission/revoker.ts';
import { type RemoveBatch, removeInBatches } from '#shared/sweep/remove-in-batches.ts';
import { addSeconds, type Clock } from '#shared/time/clock.ts';
import type { Config } from '../config/config.ts';
import { query } from '../database/query.ts';
import { deleteExpiredGrants } from '../oauth/grant-repository.ts';
import { eraseAccounts } from './erase-accounts.ts';

type Remove = (em: EntityManager, now: Date, limit: number) => Promise<number>;

/** A registration without a grant is kept this long (specification §7). */
const unusedClientSeconds = 7 * 86_400;

/** Far longer than any process uses records without reading changes. */
const principalChangeDays = 2;

/** Longer than jobs are kept, so that none is claimed twice. */
const deliverySeconds = 3 * 86_400;

/** An arbitrary constant: one sweeper at a time removes audit events. */
const auditEventsLock = 7_267_313;

type SweepOptions = {
  em: EntityManager;
  revoker: Pick<Revoker, 'confirm'>;
  clock: Clock;
  config: Pick<Config, 'auditRetentionSeconds'>;
};

/**
 * Removes expired records, and accounts to be erased; resolves to the counts by table. Any number of sweeps
 * can run at once: each batch is a statement of its own and skips locked rows. Rejects and ends early as
 * `removeInBatches` does.
 */
export function sweepExpired(
  { em, revoker, clock, config }: SweepOptions,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  const now = clock.now();
  const batches = Object.entries(removalsOf(config)).map(([table, remove]): [string, RemoveBatch] => [
    table,
    (limit) => remove(em.fork(), now, limit),
  ]);
  const account = () => eraseAccounts({ em, revoker, now, signal });
  return removeInBatches({ ...Object.fromEntries(batches), account }, signal);
}

/** In this order: what grants and sessions cascade to before these, clients after what refers to them. */
function removalsOf({ auditRetentionSeconds }: Pick<Config, 'auditRetentionSeconds'>) {
  return {
    oauth_token: expiredRows('oauth_token', 'token_hash'),
    oauth_interaction: expiredRows('oauth_interaction', 'uid_hash'),
    oauth_grant: deleteExpiredGrants,
    export_permit: expiredRows('export_permit', 'session_id'),
    browser_session: expiredRows('browser_session', 'id'),
    reminder_delivery: oldRows(
      'reminder_delivery',
      'account_id, subject_id, civil_time',
      'claimed_at',
      deliverySeconds,
    ),
    password_reset: expiredRows('password_reset', 'token_hash'),
    mail_link: expiredRows('mail_link', 'token_hash'),
    former_address: expiredRows('former_address', 'id'),
    used_challenge: expiredRows('used_challenge', 'challenge_hash'),
    revoked_access_token: expiredRows('revoked_access_token', 'jti'),
    principal_change: deletePrincipalChanges,
    audit_event: (em, now, limit) => deleteAuditEvents(em, addSeconds(now, -auditRetentionSeconds), limit),
    oauth_client: unusedRows('oauth_client'),
    client_logo: unusedRows('client_logo'),
  } satisfies Record<string, Remove>;
}

const expiredRows = (table: string, key: string): Remove => oldRows(table, key, 'expires_at', 0);

function oldRows(table: string, key: string, column: string, seconds: number): Remove {
  const [rows, keys, time] = [sql.table(`auth.${table}`), sql.raw(key), sql.ref(column)];
  return async (em, now, limit) => {
    const deleted = await query(em)`delete from ${rows} where (${keys}) in (
      select ${keys} from ${rows} where ${time} <= ${addSeconds(now, -seconds)}
      order by ${time} limit ${limit} for update skip locked) returning 1`;
    return deleted.length;
  };
}

/** Audit events cannot be changed, so their rows cannot be locked: a second sweeper removes nothing. */
async function deleteAuditEvents(em: EntityManager, olderThan: Date, limit: number): Promise<number> {
  const deleted = await query(em)`
    with lock as materialized (select pg_try_advisory_xact_lock(${auditEventsLock}) as is_ours)
    delete from auth.audit_event where sequence in (
      select sequence from auth.audit_event where (select is_ours from lock) and happened_at <= ${olderThan}
      order by happened_at limit ${limit}) returning 1`;
  return deleted.length;
}

/** By the database's clock, which has stamped them. */
async function deletePrincipalChanges(em: EntityManager, _now: Date, limit: number): Promise<number> {
  const deleted = await query(em)`delete from auth.principal_change where seq in (
    select seq from auth.principal_change
      where changed_at < now() - make_interval(days => ${principalChangeDays})
    order by changed_at limit ${limit}) returning 1`;
  return deleted.length;
}

/** `unused_since` is a hint: what belongs to a client with a live grant is kept. */
function unusedRows(table: 'oauth_client' | 'client_logo'): Remove {
  const rows = sql.table(`auth.${table}`);
  return async (em, now, limit) => {
    const deleted = await query(em)`delete from ${rows} where client_id in (
      select client_id from ${rows} client
      where unused_since <= ${addSeconds(now, -unusedClientSeconds)}
        and not exists (select from auth.oauth_grant where oauth_grant.client_id = client.client_id)
      order by unused_since limit ${limit} for update skip locked) returning 1`;
    return deleted.length;
  };
}
