import type { LiveEvent } from '#shared/app/app-protocol.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { serviceUnavailable } from '#shared/errors/errors.ts';
import type { LiveMetrics, WakeupSource } from '../metrics/live-metrics.ts';

/** An account's feed number has increased. */
type Wakeup = {
  accountId: string;
  seq: number;
  committedAt?: number | undefined;
  source: WakeupSource;
};

type LiveListener = { sessionId: string; send(event: LiveEvent): void; end(): void };

type LiveHubOptions = {
  metrics: LiveMetrics;
  /** Called for an account's first stream, and after its last. */
  onAccountOpened(accountId: string): void;
  onAccountClosed(accountId: string): void;
};

const streamsPerAccount = 10;
const streamsPerProcess = 5_000;
/** Minimum interval between events of an account: the reads they cause stay far below a session's limit. */
const eventIntervalMilliseconds = 500;
const retryAfterSeconds = 30;

type OpenAccount = {
  listeners: Set<LiveListener>;
  sentSeq: number;
  pending: Wakeup | undefined;
  timer: NodeJS.Timeout | undefined;
};

/** The open event streams of this process. */
export function createLiveHub({ metrics, onAccountOpened, onAccountClosed }: LiveHubOptions) {
  const accounts = new Map<string, OpenAccount>();
  let openStreams = 0;

  function send(open: OpenAccount, { seq, committedAt, source }: Wakeup): void {
    open.sentSeq = seq;
    for (const listener of open.listeners) listener.send({ seq });
    metrics.woken(source, committedAt === undefined ? undefined : Date.now() - committedAt);
    open.timer = setTimeout(() => {
      open.timer = undefined;
      const { pending } = open;
      open.pending = undefined;
      if (pending !== undefined && pending.seq > open.sentSeq) send(open, pending);
    }, eventIntervalMilliseconds).unref();
  }

  function remove(accountId: string, listener: LiveListener): void {
    const open = accounts.get(accountId);
    if (!open?.listeners.delete(listener)) return;
    openStreams -= 1;
    metrics.streamsOpen(openStreams);
    if (open.listeners.size > 0) return;
    clearTimeout(open.timer);
    accounts.delete(accountId);
    onAccountClosed(accountId);
  }

  return {
    /** Returns a function that removes it. Throws rate_limited and service_unavailable above the limits. */
    add(accountId: string, listener: LiveListener): () => void {
      const open = accounts.get(accountId);
      if ((open?.listeners.size ?? 0) >= streamsPerAccount)
        throw new AppError('rate_limited', { headers: { 'Retry-After': String(retryAfterSeconds) } });
      if (openStreams >= streamsPerProcess) throw serviceUnavailable(undefined, retryAfterSeconds);
      if (open === undefined) {
        const listeners = new Set([listener]);
        accounts.set(accountId, { listeners, sentSeq: 0, pending: undefined, timer: undefined });
        onAccountOpened(accountId);
      } else open.listeners.add(listener);
      openStreams += 1;
      metrics.streamsOpen(openStreams);
      return () => remove(accountId, listener);
    },
    wake(wakeup: Wakeup): void {
      const open = accounts.get(wakeup.accountId);
      if (open === undefined || wakeup.seq <= open.sentSeq) return;
      if (open.timer === undefined) send(open, wakeup);
      else if (wakeup.seq > (open.pending?.seq ?? 0)) open.pending = wakeup;
    },
    /** The same number once more: rows are the same, the account is not. */
    wakeAgain(accountId: string): void {
      const open = accounts.get(accountId);
      for (const listener of open?.listeners ?? []) listener.send({ seq: open?.sentSeq ?? 0 });
    },
    openAccounts: () => [...accounts.keys()],
    openSessions: () => [
      ...new Set(
        [...accounts.values()].flatMap(({ listeners }) => [...listeners].map((one) => one.sessionId)),
      ),
    ],
    endSession(sessionId: string): void {
      for (const { listeners } of accounts.values())
        for (const listener of listeners) if (listener.sessionId === sessionId) listener.end();
    },
    endAll(): void {
      for (const { listeners } of accounts.values()) for (const listener of listeners) listener.end();
    },
  };
}
