import { systemClock } from '#shared/time/clock.ts';
import { connectAuthDatabase } from '../database/auth-orm.ts';
import type { Session } from '../session.ts';

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
    return await work({ em: orm.em.fork(), clock: systemClock });
  } finally {
    await orm.close(true);
  }
}
