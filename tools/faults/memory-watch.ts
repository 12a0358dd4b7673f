import type { Replica } from './replica.ts';

export type MemoryWatch = {
  /** By how much the replica that grew most has grown since the watch began, at its peak; rounded. */
  growthMegabytes(): number;
  stop(): void;
};

const intervalMilliseconds = 200;

export function watchMemory(replicas: readonly Replica[]): MemoryWatch {
  const watched = replicas.map((replica) => {
    const atFirst = replica.residentMegabytes();
    return { replica, atFirst, peak: atFirst };
  });
  const timer = setInterval(() => {
    for (const entry of watched) {
      if (entry.replica.isRunning()) entry.peak = Math.max(entry.peak, entry.replica.residentMegabytes());
    }
  }, intervalMilliseconds);
  return {
    growthMegabytes: () => Math.round(Math.max(...watched.map(({ atFirst, peak }) => peak - atFirst))),
    stop: () => clearInterval(timer),
  };
}
