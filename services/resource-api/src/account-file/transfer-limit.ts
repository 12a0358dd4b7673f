import PQueue from 'p-queue';
import { serviceUnavailable } from '#shared/errors/errors.ts';
import { createQueuePerKey, runQueued } from '#shared/queue/run-queued.ts';

const retryAfterSeconds = 30;
const timeout = {
  milliseconds: 20_000,
  error: () => serviceUnavailable(new Error('other exports and imports took too long'), retryAfterSeconds),
};

/**
 * Exports and imports hold a connection for minutes, so together they get a share of the pool, and an account
 * may run one at a time. Throws service_unavailable on a queue timeout.
 */
export function createTransferLimit(poolSize: number) {
  const queue = new PQueue({ concurrency: Math.max(1, Math.floor(poolSize / 4)) });
  const queueOf = createQueuePerKey();
  return <Result>(accountId: string, work: () => Promise<Result>) =>
    runQueued([() => queueOf(accountId), () => queue], timeout, work);
}
