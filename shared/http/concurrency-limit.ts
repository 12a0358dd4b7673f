import type { RequestHandler } from 'express';
import { serviceUnavailable } from '../errors/errors.ts';
import { onStreamOpen } from './open-stream.ts';
import type { SendError } from './problem.ts';

/** Load shedding: above the limit, requests get 503 at once instead of a slow response. */
type ConcurrencyLimit = {
  /** Requests refused since the start. */
  refused(): number;
  /** Counts each request, and marks those beyond the limit. */
  count: RequestHandler;
  /** Refuses marked requests in the format of the path's clients, before any store is used. */
  refuse(send: SendError): RequestHandler;
};

export function createConcurrencyLimit(maximum: number): ConcurrencyLimit {
  let current = 0;
  let refused = 0;
  return {
    refused: () => refused,
    count(req, res, next) {
      res.locals.isBeyondLimit = current >= maximum;
      if (!res.locals.isBeyondLimit) {
        let isCounted = false;
        let isStream = false;
        const setCounted = (wanted: boolean): void => {
          const counts = wanted && !isStream && !res.closed;
          if (counts !== isCounted) current += counts ? 1 : -1;
          isCounted = counts;
        };
        setCounted(true);
        // A request that is still uploading does not count: slow clients must not use up the limit.
        req.once('resume', () => setCounted(req.complete));
        req.once('end', () => setCounted(true));
        res.once('close', () => setCounted(false));
        onStreamOpen(res, () => {
          isStream = true;
          setCounted(false);
        });
      }
      next();
    },
    refuse: (send) => (_req, res, next) => {
      if (!res.locals.isBeyondLimit) {
        next();
        return;
      }
      refused += 1;
      send(res, serviceUnavailable(undefined));
    },
  };
}
