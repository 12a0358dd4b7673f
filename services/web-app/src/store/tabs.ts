import type { AppAccount } from '#shared/app/app-protocol.ts';
import type { AnsweredRecord } from './answered-record.ts';
import type { Batch, FeedPosition } from './batch.ts';
import type { RowKey } from './row-types.ts';
import type { Connection } from './store.ts';

export type TabMessage =
  /** Rows of the server that the sender has applied, on top of that position. */
  | { kind: 'batch'; after: FeedPosition | null; batch: Batch }
  /** The outbox on disk has changed; these records are gone from it, or put back. */
  | { kind: 'outbox'; removed: readonly number[] }
  | { kind: 'renames'; renames: readonly (readonly [string, string])[] }
  | { kind: 'connection'; connection: Connection; account: AppAccount | null }
  | { kind: 'answered'; answered: AnsweredRecord }
  | { kind: 'seen'; key: RowKey }
  /** A tab has opened: the leader says how it stands, or looks again where it was signed out. */
  | { kind: 'opened' }
  /** Look at the network again. */
  | { kind: 'retry' };

/** The tabs of one account in one browser. */
export type Tabs = {
  post(message: TabMessage): void;
  onMessage(receive: (message: TabMessage) => void): void;
  /** Runs in one tab at a time; in another one when that closes. */
  lead(run: (signal: AbortSignal) => Promise<void>): void;
  close(): void;
};

/** A page alone, as where the browser has no locks. */
export function createSingleTab(): Tabs {
  const ending = new AbortController();
  return {
    post: () => {},
    onMessage: () => {},
    lead: (run) => void run(ending.signal),
    close: () => ending.abort(),
  };
}
