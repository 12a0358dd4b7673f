const atOnce = 100;
const perSecond = 8;

/** A hundred writes at once, then eight a second: below the session's limit. On a monotonic clock. */
export function createSendBudget(): { waitMilliseconds(): number; take(): void } {
  let left = atOnce;
  let at = performance.now();
  const refill = () => {
    const now = performance.now();
    left = Math.min(atOnce, left + ((now - at) / 1000) * perSecond);
    at = now;
  };
  return {
    waitMilliseconds() {
      refill();
      return left >= 1 ? 0 : Math.ceil(((1 - left) / perSecond) * 1000);
    },
    take() {
      left -= 1;
    },
  };
}
