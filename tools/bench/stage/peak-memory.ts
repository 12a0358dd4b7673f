import { residentMegabytes } from '../measure/process-time.ts';
import type { ServerProcess } from './server-process.ts';

const intervalMilliseconds = 100;

/** The most memory that the server has held while `work` ran, in megabytes. */
export async function peakMegabytes({ pid }: ServerProcess, work: () => Promise<unknown>): Promise<number> {
  let peak = residentMegabytes(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid));
  }, intervalMilliseconds);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.round(peak);
}
