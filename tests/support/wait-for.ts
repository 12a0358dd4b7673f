import { setTimeout as delay } from 'node:timers/promises';

type WaitOptions = {
  timeoutMilliseconds?: number;
  intervalMilliseconds?: number;
  /** What is waited for, as the error names it. */
  what?: string;
};

type Falsy = false | null | undefined | 0 | '';

/** The first truthy answer of `condition`. Throws when there is none in time. */
export async function waitFor<Answer>(
  condition: () => Answer | Promise<Answer>,
  { timeoutMilliseconds = 20_000, intervalMilliseconds = 20, what = 'a condition' }: WaitOptions = {},
): Promise<Exclude<Answer, Falsy>> {
  const end = performance.now() + timeoutMilliseconds;
  for (;;) {
    const answer = await condition();
    if (answer) return answer as Exclude<Answer, Falsy>;
    if (performance.now() > end) throw new Error(`waited ${timeoutMilliseconds} ms in vain for ${what}`);
    await delay(intervalMilliseconds);
  }
}
