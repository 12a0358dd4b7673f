import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logging/logger.ts';
import { DatabaseUnavailableError } from './database-unavailable.ts';

export type DatabaseCircuit = {
  /** Throws DatabaseUnavailableError while the database is known not to answer. */
  check(): void;
  /** The database has fallen silent or can't be reached: nobody waits for it any more until a probe is answered. */
  open(failure: unknown): void;
  /** How often it has opened. What connected before the last time may be dead without knowing. */
  outages(): number;
};

export type DatabaseCircuitOptions = {
  /** Asks the database something; rejects when it does not answer. Bounded in time. */
  probe(): Promise<void>;
  /** Whether nothing will be asked any more. */
  isEnding(): boolean;
  logger?: Logger | undefined;
};

const pauseMilliseconds = 200;

/**
 * Open, it refuses everything at once, so that an outage costs a request's wait once and not per statement. It asks by
 * itself until the database answers, one probe at a time: requests need not come for it to close.
 */
export function createDatabaseCircuit({ probe, isEnding, logger }: DatabaseCircuitOptions): DatabaseCircuit {
  let isOpen = false;
  let outages = 0;

  async function probeUntilAnswered(): Promise<void> {
    while (!isEnding()) {
      try {
        await probe();
        isOpen = false;
        logger?.info('the database answers again');
        return;
      } catch {
        await delay(pauseMilliseconds, undefined, { ref: false });
      }
    }
  }

  return {
    check() {
      if (isOpen) throw new DatabaseUnavailableError('the database did not answer a moment ago');
    },
    open(failure) {
      if (isOpen) return;
      isOpen = true;
      outages += 1;
      logger?.warn({ err: failure }, 'the database does not answer: requests are refused until it does');
      void probeUntilAnswered();
    },
    outages: () => outages,
  };
}
