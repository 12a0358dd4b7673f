import type { RequestHandler, Response } from 'express';
import { serviceUnavailable } from '../errors/errors.ts';
import type { SendError } from './error-middleware.ts';

export type LoadShedding = {
  /** Requests under way. One whose body the caller is still sending is not: slow callers must not take the places. */
  current(): number;
  /** Requests refused since the start. */
  shed(): number;
  /** Comes first: notes each request, and which are too many. */
  count: RequestHandler;
  /** Answers those that are too many with 503, as the readers of a path expect it; before any store is asked. */
  refuse(send: SendError): RequestHandler;
};

/**
 * Beyond `maximum` requests at once a process does more waiting than work, and each further one makes all others
 * slower. A quick 503 is worth more to its caller, who comes back in a second. Refusals are not logged as failures:
 * the line of the request tells them, and more would be load.
 */
export function createLoadShedding(maximum: number): LoadShedding {
  let current = 0;
  let shed = 0;
  const excess = new WeakSet<Response>();

  return {
    current: () => current,
    shed: () => shed,
    count(req, res, next) {
      if (current >= maximum) {
        excess.add(res);
        next();
        return;
      }
      let isCounted = false;
      const setCounted = (wanted: boolean): void => {
        const counts = wanted && !res.closed;
        if (counts !== isCounted) current += counts ? 1 : -1;
        isCounted = counts;
      };
      setCounted(true);
      // Flowing and not complete: from here on we wait for the caller.
      req.once('resume', () => setCounted(req.complete));
      req.once('end', () => setCounted(true));
      res.once('close', () => setCounted(false));
      next();
    },
    refuse: (send) => (_req, res, next) => {
      if (!excess.has(res)) {
        next();
        return;
      }
      shed += 1;
      send(res, serviceUnavailable(undefined));
    },
  };
}
