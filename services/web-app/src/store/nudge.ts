/** A wait that something may cut short. */
type Nudge = { wait(milliseconds: number | null, signal: AbortSignal): Promise<void>; now(): void };

export function createNudge(): Nudge {
  let cut: (() => void) | undefined;
  return {
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        const timer = milliseconds === null ? undefined : setTimeout(() => cut?.(), milliseconds);
        cut = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', resolveNow);
          cut = undefined;
          resolve();
        };
        const resolveNow = () => cut?.();
        if (signal.aborted) resolveNow();
        else signal.addEventListener('abort', resolveNow);
      }),
    now: () => cut?.(),
  };
}
