import { killGuarded } from './process-guardian.ts';

export type StopRequest = { signal: AbortSignal };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-C in a terminal reaches this process twice, from the terminal and from npm; only a later one is impatience. */
const IMPATIENCE_AFTER_MILLISECONDS = 1_000;
const PARENT_CHECK_MILLISECONDS = 500;

/** Aborts the signal when this process is asked to stop; asked again, everything is ended at once. */
export function watchForStop(isStartedByNpm: boolean): StopRequest {
  const controller = new AbortController();
  let askedAt: number | undefined;
  const ask = (): void => {
    if (askedAt !== undefined && Date.now() - askedAt > IMPATIENCE_AFTER_MILLISECONDS) {
      killGuarded();
      process.exit(1);
    }
    askedAt ??= Date.now();
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, ask);
  if (isStartedByNpm) {
    const parent = process.ppid;
    const check = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(check);
      ask();
    }, PARENT_CHECK_MILLISECONDS);
    check.unref();
  }
  return { signal: controller.signal };
}
