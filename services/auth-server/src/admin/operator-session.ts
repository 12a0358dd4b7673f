import { systemClock } from '#shared/time/clock.ts';
import { operatorOrigin } from '../audit/audit-trail.ts';
import { connectAuthDatabase } from '../database/auth-orm.ts';
import { openSession, type Session } from '../session.ts';

/** Runs `work` on the database of `url` with the rights of auth-server, no more. */
export async function runAsOperator<Result>(
  url: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const orm = await connectAuthDatabase({
    url,
    poolSize: 1,
    applicationName: 'admin',
    waitMilliseconds: 10_000,
  });
  try {
    return await work(openSession({ em: orm.em, clock: systemClock }, operatorOrigin));
  } finally {
    await orm.close(true);
  }
}
