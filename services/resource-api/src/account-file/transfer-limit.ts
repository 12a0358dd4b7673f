import PQueue from 'p-queue';
import { serviceUnavailable } from '#shared/errors/errors.ts';

export type TransferLimit = {
  /** Throws service_unavailable, with nothing done, where others take too long. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
};

const waitMilliseconds = 20_000;
const retryAfterSeconds = 30;

/** Exports and imports hold a connection for minutes: they never take more than a share of the pool. */
export function createTransferLimit(poolSize: number): TransferLimit {
  const queue = new PQueue({ concurrency: Math.max(1, Math.floor(poolSize / 4)) });
  return {
    async run(work) {
      const waiting = new AbortController();
      const cause = new Error('other exports and imports took too long');
      const giveUp = () => waiting.abort(serviceUnavailable(cause, retryAfterSeconds));
      const timer = setTimeout(giveUp, waitMilliseconds);
      const start = () => {
        clearTimeout(timer);
        return work();
      };
      return await queue.add(start, { signal: waiting.signal });
    },
  };
}
