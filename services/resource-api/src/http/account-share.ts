import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { Queryable } from '#shared/database/database.ts';
import { serviceUnavailable } from '#shared/errors/errors.ts';
import { onStreamOpen } from '#shared/http/open-stream.ts';
import { bodyLimitBytes } from '#shared/http/request-input.ts';
import { createAccountQueue } from '../sync/account-queue.ts';

/** Limits what one account may use of a process, with any number of tokens and addresses. */
export type AccountShare = {
  /** Counts a request until its response has been taken. Throws service_unavailable beyond the share. */
  enter(accountId: string, req: Request, res: Response): void;
  /**
   * Runs at most a few reads of an account at once. A slot is released when the response was paced. Throws
   * service_unavailable on a queue timeout.
   */
  read(accountId: string, res: Response, respond: () => Promise<void>): Promise<void>;
  /**
   * For work that alternates reads and writes, or writes outside the account's queue: each statement takes a
   * slot, and throws service_unavailable on a queue timeout.
   */
  statementsOf(accountId: string, db: Queryable): Queryable;
  /**
   * Resolves when a body may be read; large bodies of an account are read one after another. Throws
   * service_unavailable on a queue timeout.
   */
  beforeBody(accountId: string, req: Request): Promise<void>;
};

/** Bytes of bodies being received and of unread responses. */
const maximumBytes = 24 * 1024 * 1024;
/** More would make the requests of other accounts wait for all of them. */
const readsAtOnce = 2;
/** Smaller bodies and responses cost less than what else a request does. */
const largeBytes = 64 * 1024;
/** Reading or writing 2 MB blocks the event loop for 10 ms. */
const bodyBytesPerMillisecond = 12_000;
/** Per read. */
const responseBytesPerMillisecond = 3_000;

type Exchange = { req: Request; res: Response };

export function createAccountShare(maximumRequests: number, waitMilliseconds: number): AccountShare {
  const exchanges = new Map<string, Set<Exchange>>();
  const reads = createAccountQueue(waitMilliseconds, readsAtOnce);
  const bodies = createAccountQueue(waitMilliseconds);
  return {
    enter(accountId, req, res) {
      // The client has disconnected already, so 'close' is not emitted again.
      if (res.closed) return;
      const present = exchanges.get(accountId) ?? new Set();
      if (present.size >= maximumRequests || hasMuch(present)) throw serviceUnavailable(undefined);
      const exchange = { req, res };
      exchanges.set(accountId, present.add(exchange));
      const leave = (): void => {
        present.delete(exchange);
        if (present.size === 0 && exchanges.get(accountId) === present) exchanges.delete(accountId);
      };
      res.once('close', leave);
      onStreamOpen(res, leave);
    },
    async read(accountId, res, respond) {
      const response = Promise.withResolvers<void>();
      const slot = reads.run(accountId, async () => {
        // The client has disconnected.
        if (res.closed) return response.resolve();
        if (hasMuch(exchanges.get(accountId))) return response.reject(serviceUnavailable(undefined));
        response.resolve(respond());
        await response.promise.catch(() => undefined);
        await pace(Number(res.getHeader('content-length') ?? 0), responseBytesPerMillisecond);
      });
      slot.catch(response.reject);
      await response.promise;
    },
    statementsOf: (accountId, db) => ({
      query: (statement) => reads.run(accountId, () => db.query(statement)),
    }),
    async beforeBody(accountId, req) {
      const bytes = bodyBytes(req);
      if (bytes < largeBytes) return;
      const begun = Promise.withResolvers<void>();
      const slot = bodies.run(accountId, async () => {
        begun.resolve();
        if (!req.destroyed) await pace(bytes, bodyBytesPerMillisecond);
      });
      slot.catch(begun.reject);
      await begun.promise;
    },
  };
}

async function pace(bytes: number, bytesPerMillisecond: number): Promise<void> {
  if (bytes >= largeBytes) await delay(bytes / bytesPerMillisecond);
}

function hasMuch(exchanges: ReadonlySet<Exchange> = new Set()): boolean {
  let bytes = 0;
  for (const { req, res } of exchanges) bytes += (req.complete ? 0 : bodyBytes(req)) + res.writableLength;
  return bytes > maximumBytes;
}

/** A body without Content-Length counts as the longest; a longer one is refused unread. */
function bodyBytes({ headers }: Request): number {
  const isUnknown = headers['transfer-encoding'] !== undefined;
  return isUnknown ? bodyLimitBytes : Math.min(Number(headers['content-length'] ?? 0), bodyLimitBytes);
}
