import { setTimeout as delay } from 'node:timers/promises';
import { describeEnd, type ProcessEnd } from './process-end.ts';

export type RunningPart = { pid: number; ended: Promise<ProcessEnd>; stop(): Promise<void> };

export type KeptPart<Part extends RunningPart> = {
  /** As it was started at first. */
  first: Part;
  /** Undefined while the part is down. */
  current(): Part | undefined;
  stop(): Promise<void>;
};

export type KeepRunningOptions<Part extends RunningPart> = {
  name: string;
  /** `previous` is the part that ended, undefined at first. A start under way ends early when `signal` aborts. */
  start(signal: AbortSignal, previous: Part | undefined): Promise<Part>;
  /** Told what happens, in sentences. */
  report(message: string): void;
};

const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 5_000;
/** A part that ran this long has proved that it can: its next pause is the first again. */
const STEADY_AFTER_MILLISECONDS = 10_000;

/**
 * Starts a part and starts it again whenever it ends, with growing pauses, until it is stopped.
 * Rejects when the first start fails.
 */
export async function keepRunning<Part extends RunningPart>(
  options: KeepRunningOptions<Part>,
  firstStart: AbortSignal,
): Promise<KeptPart<Part>> {
  const { name, report } = options;
  const stopping = new AbortController();
  const first = await options.start(firstStart, undefined);
  let current: Part | undefined = first;

  const startAgain = async (previous: Part, firstPause: number): Promise<Part | undefined> => {
    let pause = firstPause;
    while (await pauses(pause, stopping.signal)) {
      try {
        return await options.start(stopping.signal, previous);
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        report(`${name} could not be started again: ${error instanceof Error ? error.message : error}`);
        pause = longer(pause);
      }
    }
    return undefined;
  };

  const watch = async (): Promise<void> => {
    let pause = FIRST_PAUSE_MILLISECONDS;
    for (let part: Part | undefined = first; part; ) {
      const startedAt = Date.now();
      const end = await part.ended;
      current = undefined;
      if (stopping.signal.aborted) return;
      report(`${name} ${describeEnd(end)}; it is being started again`);
      pause = Date.now() - startedAt > STEADY_AFTER_MILLISECONDS ? FIRST_PAUSE_MILLISECONDS : longer(pause);
      part = await startAgain(part, pause);
      current = part;
      if (stopping.signal.aborted) await part?.stop();
    }
  };
  const watched = watch();

  return {
    first,
    current: () => current,
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await watched;
    },
  };
}

function longer(pause: number): number {
  return Math.min(pause * 2, LONGEST_PAUSE_MILLISECONDS);
}

async function pauses(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return await delay(milliseconds, true, { signal }).catch(() => false);
}
