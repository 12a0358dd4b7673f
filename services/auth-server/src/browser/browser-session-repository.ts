import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

export type BrowserSession = {
  id: string;
  accountId: string;
  /** Where it was last seen. */
  address: string;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
  /** It counts while this lies ahead; each visit moves it. */
  expiresAt: Date;
};

export type VisitorRow = {
  sessionId: string;
  id: string;
  email: string;
  timezone: string;
  plan: 'free' | 'premium';
  status: 'active' | 'suspended';
};

export type Visit = { secretHash: Buffer; now: Date; expiresAt: Date; address: string; userAgent: string };

const secondsBetweenNotes = 60;

export async function insertBrowserSession(
  em: EntityManager,
  session: BrowserSession & { secretHash: Buffer },
): Promise<void> {
  await em.execute(
    `insert into auth.browser_session
       (id, secret_hash, account_id, address, user_agent, created_at, last_seen_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      session.id,
      session.secretHash,
      session.accountId,
      session.address,
      session.userAgent,
      session.createdAt,
      session.lastSeenAt,
      session.expiresAt,
    ],
  );
}

/** Whose browser it is; the visit is noted, and the session prolonged, at most once a minute. */
export async function findVisitorRow(em: EntityManager, visit: Visit): Promise<VisitorRow | undefined> {
  const lastNote = new Date(visit.now.getTime() - secondsBetweenNotes * 1_000);
  const { address, expiresAt, now, secretHash, userAgent } = visit;
  const { rows } = await sql<VisitorRow>`
    with noted as (
      update auth.browser_session
      set last_seen_at = ${now}, expires_at = ${expiresAt}, address = ${address}, user_agent = ${userAgent}
      where secret_hash = ${secretHash} and expires_at > ${now} and last_seen_at <= ${lastNote})
    select session.id as "sessionId", account.id, email, timezone, plan, status
    from auth.browser_session session join auth.account account on account.id = session.account_id
    where secret_hash = ${secretHash} and expires_at > ${now}`.execute(em.getKysely());
  return rows[0];
}

/** The browsers signed in to an account, the one last seen first. */
export async function listSessionsOfAccount(
  em: EntityManager,
  accountId: string,
  now: Date,
): Promise<BrowserSession[]> {
  type Row = { [Key in keyof BrowserSession]: BrowserSession[Key] extends Date ? string | Date : string };
  const rows = await em.execute<Row[]>(
    `select id, account_id as "accountId", address, user_agent as "userAgent", created_at as "createdAt",
       last_seen_at as "lastSeenAt", expires_at as "expiresAt"
     from auth.browser_session where account_id = ? and expires_at > ? order by last_seen_at desc, id`,
    [accountId, now],
  );
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    lastSeenAt: new Date(row.lastSeenAt),
    expiresAt: new Date(row.expiresAt),
  }));
}

/** Whose session it was; undefined when there was none. */
export async function deleteSessionBySecret(
  em: EntityManager,
  secretHash: Buffer,
): Promise<{ accountId: string } | undefined> {
  const [row] = await em.execute<{ accountId: string }[]>(
    'delete from auth.browser_session where secret_hash = ? returning account_id as "accountId"',
    [secretHash],
  );
  return row;
}

/** Whether the account had such a session. */
export async function deleteSessionOfAccount(
  em: EntityManager,
  accountId: string,
  id: string,
): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    'delete from auth.browser_session where account_id = ? and id = ? returning id',
    [accountId, id],
  );
  return rows.length > 0;
}

/** Ends every session of the account, but for the one with the id `exceptId`; how many they were. */
export async function deleteSessionsOfAccount(
  em: EntityManager,
  accountId: string,
  exceptId?: string,
): Promise<number> {
  const rows = await em.execute<unknown[]>(
    'delete from auth.browser_session where account_id = ? and id is distinct from ?::uuid returning id',
    [accountId, exceptId ?? null],
  );
  return rows.length;
}
