import type { Logger } from '#shared/logging/logger.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Principal } from './principal.ts';
import type { TokenUse } from './token-use-repository.ts';

/** Records when tokens were last used, beside the requests: none waits for it or fails with it. */
export type TokenUseRecorder = {
  note(principal: Principal): void;
  /** Writes what is still to be written. Never rejects. */
  close(): Promise<void>;
};

export type TokenUseRecorderOptions = {
  clock: Clock;
  logger: Logger;
  write(uses: readonly TokenUse[]): Promise<void>;
  /** How many tokens are remembered, and how many may wait to be written. */
  capacity?: number;
};

/** A use is noted at most so often for each token: to the minute is all that anybody is shown. */
const noteIntervalMilliseconds = 60_000;
/** Uses are collected for so long, to be written together. */
const collectMilliseconds = 1_000;

export function createTokenUseRecorder(options: TokenUseRecorderOptions): TokenUseRecorder {
  const { clock, logger, write, capacity = 10_000 } = options;
  // Both by token id, the oldest first.
  const noted = new Map<string, Date>();
  const waiting = new Map<string, TokenUse>();
  // Set from the first use that waits until it is written: writes never overlap.
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();
  let isFailing = false;

  const writeWaiting = async (): Promise<void> => {
    const uses = [...waiting.values()];
    waiting.clear();
    if (uses.length === 0) return;
    try {
      await write(uses);
      isFailing = false;
    } catch (error) {
      // Noted again with the next use: nothing is kept for a database that does not take it.
      for (const { tokenId } of uses) noted.delete(tokenId);
      if (!isFailing) logger.error({ err: error }, 'the last use of tokens could not be recorded');
      isFailing = true;
    }
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(() => {
      underWay = writeWaiting().finally(() => {
        timer = undefined;
        if (waiting.size > 0) writeSoon();
      });
    }, collectMilliseconds).unref();
  };

  return {
    note({ account, tokenId }) {
      const usedAt = clock.now();
      if (waiting.size >= capacity || isRecent(noted.get(tokenId), usedAt)) return;
      noted.delete(tokenId);
      noted.set(tokenId, usedAt);
      const [oldest] = noted.keys();
      if (noted.size > capacity && oldest !== undefined) noted.delete(oldest);
      waiting.set(tokenId, { accountId: account.id, tokenId, usedAt });
      writeSoon();
    },
    async close() {
      await underWay;
      clearTimeout(timer);
      await writeWaiting();
    },
  };
}

/** A note of the future was made before the clock was set back, and says nothing. */
function isRecent(notedAt: Date | undefined, now: Date): boolean {
  const ageMilliseconds = now.getTime() - (notedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
  return ageMilliseconds >= 0 && ageMilliseconds < noteIntervalMilliseconds;
}
