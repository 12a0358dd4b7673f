import { type DatabaseObserver, statementShape } from '../database/database-observer.ts';
import type { Logger } from './logger.ts';

const slowMilliseconds = 1_000;
/** When the database is slow, all statements are: one line a second is enough to see it. */
const pauseMilliseconds = 1_000;
const shownLength = 300;

/** Warns of slow statements, by their text without values. `now` counts milliseconds and never goes back. */
export function logSlowStatements(
  logger: Logger,
  now: () => number = () => performance.now(),
): Required<Pick<DatabaseObserver, 'statementSent'>> {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    statementSent(text) {
      const sentAt = now();
      return () => {
        const answeredAt = now();
        const milliseconds = Math.round(answeredAt - sentAt);
        if (milliseconds < slowMilliseconds || answeredAt - loggedAt < pauseMilliseconds) return;
        loggedAt = answeredAt;
        logger.warn({ milliseconds, statement: statementShape(text, shownLength) }, 'a slow statement');
      };
    },
  };
}
