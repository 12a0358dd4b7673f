/** `in 40 seconds`, `in 14 minutes`: rounded up, so that whoever waits that long need not wait again. */
export function inWaitingTime(seconds: number): string {
  if (seconds <= 90) return `in ${count(seconds, 'second')}`;
  return `in ${count(Math.ceil(seconds / 60), 'minute')}`;
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
