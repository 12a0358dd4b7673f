import { type AppChanges, type AppSnapshot, appApiPath } from '#shared/app/app-protocol.ts';
import type { Api } from './api.ts';
import { backOffMilliseconds } from './back-off.ts';
import { type Batch, changesBatch, type FeedPosition, snapshotBatch } from './batch.ts';
import { ConnectionFailure, SignedOut } from './errors.ts';
import { followLiveStream } from './live-stream.ts';
import type { Sender } from './sender.ts';
import type { Connection } from './store.ts';

export const snapshotPath = `${appApiPath}/snapshot`;

/** Interval of checks whether a suspended account is active again. */
const suspendedMilliseconds = 5_000;
const reconnectMilliseconds = { least: 500, most: 5_000 };

type SyncParts = {
  api: Api;
  sender: Sender;
  position(): FeedPosition | null;
  isSuspended(): boolean;
  apply(batch: Batch): Promise<void>;
  onConnection(connection: Connection): void;
  /** An error of the app itself. */
  onFault(error: unknown): void;
  /** Rows are up to date: low-priority work may run. */
  onCurrent(): void;
};

/** Keeps the rows up to date and runs the sender meanwhile, in the leading tab. */
export class Sync {
  readonly #parts: SyncParts;
  /** Reads changes, listens to the stream and waits, in a loop. */
  #round = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;
  #failures = 0;

  constructor(parts: SyncParts) {
    this.#parts = parts;
  }

  /** Runs until the signal, when this tab no longer leads. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#round = new AbortController();
      const round = AbortSignal.any([signal, this.#round.signal]);
      try {
        await this.pull();
        this.#failures = 0;
        this.#becomeCurrent(signal);
        const isRenewed = await this.#listen(signal, round);
        const { least, most } = reconnectMilliseconds;
        if (!isRenewed) await wait(least + Math.random() * (most - least), round);
      } catch (error) {
        this.#parts.sender.stop();
        await this.#waitAfter(error, round);
      }
    }
    this.#parts.sender.stop();
  }

  /** Starts the next round now: network or session may have changed. */
  retry(): void {
    this.#round.abort();
  }

  /** Fetches changes committed before the call. Concurrent calls share a request. */
  pull(): Promise<void> {
    this.#queued ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#queued = undefined;
        this.#running = this.#fetchChanges();
        return this.#running;
      });
    return this.#queued;
  }

  #becomeCurrent(signal: AbortSignal): void {
    if (signal.aborted) return;
    const { sender, onConnection, onCurrent, isSuspended } = this.#parts;
    const suspended = isSuspended();
    onConnection(suspended ? 'suspended' : 'online');
    if (suspended) sender.stop();
    else sender.start();
    onCurrent();
  }

  async #listen(signal: AbortSignal, round: AbortSignal): Promise<boolean> {
    const listening = new AbortController();
    const asking = this.#parts.isSuspended()
      ? setTimeout(() => this.retry(), suspendedMilliseconds)
      : undefined;
    let failure: unknown;
    let isRenewed = false;
    const pull = () => {
      this.pull()
        .then(() => this.#becomeCurrent(signal))
        .catch((error: unknown) => {
          failure = error;
          listening.abort();
        });
    };
    try {
      isRenewed = await followLiveStream(this.#parts.api, pull, AbortSignal.any([round, listening.signal]));
    } catch (error) {
      // No stream: polls for changes, and the outbox continues.
      if (!(error instanceof ConnectionFailure) || error.retryAfterSeconds === null) throw error;
      await wait(error.retryAfterSeconds * 1000, round);
    } finally {
      clearTimeout(asking);
    }
    if (failure !== undefined) throw failure;
    return isRenewed;
  }

  async #waitAfter(error: unknown, round: AbortSignal): Promise<void> {
    if (error instanceof SignedOut) {
      this.#parts.onConnection('signed-out');
      return wait(null, round);
    }
    const isExpected = error instanceof ConnectionFailure;
    if (!isExpected) this.#parts.onFault(error);
    const retryAfterSeconds = isExpected ? error.retryAfterSeconds : null;
    this.#failures += 1;
    // A busy service does not count as offline.
    if (retryAfterSeconds === null || this.#failures > 1) this.#parts.onConnection('offline');
    await wait(backOffMilliseconds(this.#failures, retryAfterSeconds), round);
  }

  async #fetchChanges(): Promise<void> {
    const { sender, apply } = this.#parts;
    for (let more = true; more; ) {
      const position = this.#parts.position();
      const changes: AppChanges | null = position && (await this.#read<AppChanges>(changesPath(position)));
      if (position === null || changes === null || changes.reset) {
        const snapshot = await this.#read<AppSnapshot>(snapshotPath);
        await sender.createsAnswered();
        return apply(snapshotBatch(snapshot));
      }
      await sender.createsAnswered();
      await apply(changesBatch(changes));
      more = changes.more;
    }
  }

  async #read<Body>(path: string): Promise<Body> {
    const { status, body, retryAfterSeconds } = await this.#parts.api.send({ method: 'GET', path });
    if (status !== 200) throw new ConnectionFailure(retryAfterSeconds ?? 1);
    return body as Body;
  }
}

/** Waits this long, or until the round ends; null: until then. */
function wait(milliseconds: number | null, round: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = milliseconds === null ? undefined : setTimeout(resolve, milliseconds);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    if (round.aborted) end();
    else round.addEventListener('abort', end);
  });
}

function changesPath({ seq, stamp }: FeedPosition): string {
  const proof = stamp === null ? '' : `&stamp=${encodeURIComponent(stamp)}`;
  return `${appApiPath}/changes?after=${seq}${proof}&limit=1000`;
}
