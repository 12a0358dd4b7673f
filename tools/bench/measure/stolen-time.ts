import { readProcFile } from './process-time.ts';

/** Of all processors since the machine started, in ticks (proc_stat(5)). */
export type MachineTime = { wanted: number; stolen: number };

/** Undefined where there is no /proc. */
export function readMachineTime(): MachineTime | undefined {
  const line = readProcFile('/proc/stat')?.split('\n', 1)[0];
  if (line === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, _idle, _wait, interrupts = 0, soft = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return { wanted: user + nice + system + interrupts + soft + stolen, stolen };
}

/**
 * The share of the processor time wanted since `before` that the machine below this virtual one gave to others;
 * undefined where it is not told. While it is away a process stands still, for tens of milliseconds and more.
 */
export function stolenShareSince(before: MachineTime | undefined): number | undefined {
  const after = readMachineTime();
  if (before === undefined || after === undefined) return undefined;
  const wanted = after.wanted - before.wanted;
  return wanted === 0 ? 0 : (after.stolen - before.stolen) / wanted;
}
