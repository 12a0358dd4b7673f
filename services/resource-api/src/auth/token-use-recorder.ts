import { LRUCache } from 'lru-cache';
import type { Logger } from '#shared/logging/logger.ts';
import { createSweeper } from '#shared/sweep/sweeper.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Principal } from './principal.ts';
import type { TokenUse } from './token-use-repository.ts';

export type TokenUseRecorder = ReturnType<typeof createTokenUseRecorder>;

type TokenUseRecorderOptions = {
  clock: Clock;
  logger: Logger;
  write(uses: readonly TokenUse[]): Promise<void>;
};

/** How many tokens are remembered, and how many may wait to be written. */
const capacity = 10_000;
/** Per token: last uses are shown to the minute. */
const noteIntervalMilliseconds = 60_000;
/** Uses are collected this long and written in one statement. */
const collectMilliseconds = 1_000;

/** Records when tokens were last used, in the background: requests do not depend on it. */
export function createTokenUseRecorder({ clock, logger, write }: TokenUseRecorderOptions) {
  const noted = new LRUCache<string, true>({
    max: capacity,
    ttl: noteIntervalMilliseconds,
    ttlResolution: 0,
  });
  const waiting = new Map<string, TokenUse>();

  const writeWaiting = async (): Promise<Record<string, number>> => {
    const uses = [...waiting.values()];
    waiting.clear();
    if (uses.length === 0) return {};
    try {
      await write(uses);
      return { token_use: uses.length };
    } catch (error) {
      // Failed uses are dropped; the next use of the token is recorded.
      for (const { tokenId } of uses) noted.delete(tokenId);
      throw error;
    }
  };
  const writer = createSweeper({
    purpose: 'record the last use of tokens',
    sweep: writeWaiting,
    intervalMilliseconds: collectMilliseconds,
    logger,
  });

  return {
    note({ account, kind, tokenId }: Principal): void {
      // Sessions are shown with the time that auth-server saw their browser.
      if (kind === 'browser') return;
      if (waiting.size >= capacity || noted.has(tokenId)) return;
      noted.set(tokenId, true);
      waiting.set(tokenId, { accountId: account.id, tokenId, usedAt: clock.now() });
      writer.start();
    },
    /** Writes the pending uses. Never rejects. */
    async close(): Promise<void> {
      await writer.stop();
      await writeWaiting().catch(() => undefined);
    },
  };
}
