import { setTimeout as delay } from 'node:timers/promises';

type WaitOptions = {
  timeoutMilliseconds?: number;
  intervalMilliseconds?: number;
  /** Description of the condition for the error. */
  what?: string;
};

type Falsy = false | null | undefined | 0 | '';

/** Resolves with the first truthy result of `condition`. Throws after the timeout. */
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
