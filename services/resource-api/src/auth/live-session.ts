import type { Queryable } from '#shared/database/database.ts';
import { AppError } from '#shared/errors/app-error.ts';

/** Returns the sessions that have not ended. */
export async function findLiveSessions(
  db: Queryable,
  sessionIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const { rows } = await db.query<{ sessionId: string }>({
    name: 'find-live-sessions',
    text: `select session_id as "sessionId" from auth.session_access
      where session_id = any($1::uuid[]) and expires_at > $2`,
    values: [sessionIds, now],
  });
  return new Set(rows.map(({ sessionId }) => sessionId));
}

/** For work of minutes, which must end with the browser's session. Throws token_invalid. */
export async function requireLiveSession(db: Queryable, sessionId: string, now: Date): Promise<void> {
  if ((await findLiveSessions(db, [sessionId], now)).has(sessionId)) return;
  throw new AppError('token_invalid', { message: 'This browser was signed out meanwhile.' });
}
