import type { Redis } from 'ioredis';
import { accountChangeChannel } from '#shared/admission/account-version.ts';
import type { Queryable } from '#shared/database/database.ts';
import type { Logger } from '#shared/logging/logger.ts';
import type { Clock } from '#shared/time/clock.ts';
import { waitAtMost } from '#shared/time/wait-at-most.ts';
import { findLiveSessions } from '../auth/live-session.ts';
import type { LiveMetrics } from '../metrics/live-metrics.ts';
import { createLiveHub } from './live-hub.ts';

type LiveUpdatesOptions = {
  db: Queryable;
  clock: Clock;
  logger: Logger;
  metrics: LiveMetrics;
  /** Both fail at once while Redis is unavailable. The subscriber has its own connection, closed last. */
  publisher: Pick<Redis, 'publish'>;
  subscriber: Redis;
};

/** Interval of Redis health checks; while they fail, changes are read from the database. */
const checkMilliseconds = 2_000;
/** Interval of session checks, and of reading changes whose notification was lost. */
const sessionCheckMilliseconds = 30_000;

const feedChannel = (accountId: string): string => `feed:${accountId}`;
const channelsOf = (accountId: string): string[] => [feedChannel(accountId), accountChangeChannel(accountId)];
const accountOf = (channel: string): string => channel.slice(channel.lastIndexOf(':') + 1);

/** Notifies open streams of commits in their account, by any replica. */
export function createLiveUpdates(options: LiveUpdatesOptions) {
  const { db, clock, logger, metrics, publisher, subscriber } = options;
  const ignore = () => undefined;
  // The check covers failures here.
  const hub = createLiveHub({
    metrics,
    onAccountOpened: (accountId) =>
      void subscriber.subscribe(...channelsOf(accountId)).catch(noteUnsubscribed),
    onAccountClosed: (accountId) => void subscriber.unsubscribe(...channelsOf(accountId)).catch(ignore),
  });
  let isSubscribed = true;
  let wasReachable = true;
  let isChecking = false;
  let sessionsCheckedAt = performance.now();

  function noteUnsubscribed(): void {
    isSubscribed = false;
  }

  subscriber.on('ready', () => void subscribeAnew().catch(noteUnsubscribed));

  subscriber.on('message', (channel: string, message: string) => {
    const accountId = accountOf(channel);
    // Its sessions, zone, plan or status have changed: clients that ask now see that.
    if (channel === accountChangeChannel(accountId)) return hub.wakeAgain(accountId);
    const [seq, committedAt] = message.split(' ').map(Number);
    if (seq === undefined || !Number.isSafeInteger(seq)) return;
    hub.wake({ accountId, seq, committedAt, source: 'redis' });
  });

  async function subscribeAnew(): Promise<void> {
    const accounts = hub.openAccounts();
    if (accounts.length > 0) await subscriber.subscribe(...accounts.flatMap(channelsOf));
    isSubscribed = true;
  }

  async function isReachable(): Promise<boolean> {
    const reach = async (): Promise<boolean> => {
      await subscriber.ping();
      if (!isSubscribed || !wasReachable) await subscribeAnew();
      return true;
    };
    return (await waitAtMost(checkMilliseconds / 2, reach()).catch(() => false)) ?? false;
  }

  async function readNumbers(): Promise<void> {
    const numbers = await readFeedNumbers(db, hub.openAccounts());
    for (const { accountId, seq } of numbers) hub.wake({ accountId, seq, source: 'database' });
  }

  async function endFinishedSessions(): Promise<void> {
    const sessions = hub.openSessions();
    const present = await findLiveSessions(db, sessions, clock.now());
    for (const id of sessions) if (!present.has(id)) hub.endSession(id);
  }

  async function check(): Promise<void> {
    if (hub.openAccounts().length === 0) return;
    const reachable = await isReachable();
    const isSessionCheck = performance.now() - sessionsCheckedAt >= sessionCheckMilliseconds;
    if (isSessionCheck) sessionsCheckedAt = performance.now();
    // Also after Redis recovered, since earlier notifications are lost.
    if (!reachable || !wasReachable || isSessionCheck) await readNumbers();
    if (isSessionCheck) await endFinishedSessions();
    wasReachable = reachable;
  }

  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    check()
      .catch((error: unknown) => logger.warn({ err: error }, 'open event streams could not be checked'))
      .finally(() => {
        isChecking = false;
      });
  }, checkMilliseconds).unref();

  return {
    listen: hub.add,
    /** Call after a commit. Neither throws nor waits. */
    announce(accountId: string, seq: number): void {
      const committedAt = Date.now();
      hub.wake({ accountId, seq, committedAt, source: 'local' });
      publisher.publish(feedChannel(accountId), `${seq} ${committedAt}`).catch(ignore);
    },
    /** Ends all streams; clients reconnect to other replicas. */
    endAll: hub.endAll,
    close(): void {
      clearInterval(timer);
      hub.endAll();
      subscriber.disconnect();
    },
  };
}

/**
 * The newest feed number of each account. One statement for all accounts with open streams, so it is not
 * limited to one account.
 */
async function readFeedNumbers(
  db: Queryable,
  accountIds: readonly string[],
): Promise<{ accountId: string; seq: number }[]> {
  const { rows } = await db.query<{ accountId: string; seq: number }>({
    name: 'read-feed-numbers',
    text: `select account_id as "accountId", last_sequence as seq from tasks.account_feed
      where account_id = any($1::uuid[])`,
    values: [accountIds],
  });
  return rows;
}
