import { type DatabaseObserver, statementShape } from '../database/database-observer.ts';
import type { Logger } from './logger.ts';

const slowMilliseconds = 1_000;
/** During an outage all statements are slow: at most one line a second. */
const pauseMilliseconds = 1_000;
const shownLength = 300;

/** Logs slow statements without values. `now`: monotonic milliseconds. */
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
        logger.warn({ milliseconds, statement: statementShape(text, shownLength) }, 'slow query');
      };
    },
  };
}
