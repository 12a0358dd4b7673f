import type { AppAccount } from '#shared/app/app-protocol.ts';
import type { Batch, FeedPosition } from './batch.ts';
import type { AnsweredRecord } from './outbox-record.ts';
import type { RowKey } from './row-types.ts';
import type { Connection } from './store.ts';

export type TabMessage =
  /** Rows applied by the sender on top of the position. */
  | { kind: 'batch'; after: FeedPosition | null; batch: Batch }
  /** The stored outbox changed; these records were removed. */
  | { kind: 'outbox'; removed: readonly number[] }
  | { kind: 'renames'; renames: readonly (readonly [string, string])[] }
  | { kind: 'connection'; connection: Connection; account: AppAccount | null; position: FeedPosition | null }
  | { kind: 'answered'; answered: AnsweredRecord }
  | { kind: 'seen'; key: RowKey }
  /** A tab has opened: the leader sends its state, or checks the session again. */
  | { kind: 'opened' }
  /** Check the network again. */
  | { kind: 'retry' };

/** The tabs of one account in one browser. */
export type Tabs = {
  post(message: TabMessage): void;
  onMessage(receive: (message: TabMessage) => void): void;
  /** Runs in one tab at a time, and in another one after that closes. */
  lead(run: (signal: AbortSignal) => Promise<void>): void;
  close(): void;
};

/** A single page, for browsers without locks. */
export function createSingleTab(): Tabs {
  const ending = new AbortController();
  return {
    post: () => {},
    onMessage: () => {},
    lead: (run) => void run(ending.signal),
    close: () => ending.abort(),
  };
}
