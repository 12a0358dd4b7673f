import { readdirSync } from 'node:fs';
import type { Replica } from './replica.ts';

export type GrowthSample = { minutes: number; residentMegabytes: number; handles: number };

export type GrowthWatch = {
  /** Of each replica, in the order given. */
  samples(): readonly (readonly GrowthSample[])[];
  stop(): void;
};

const intervalMilliseconds = 5_000;

/** Samples the memory and the open files and sockets of replicas that go on running. */
export function watchGrowth(replicas: readonly Replica[]): GrowthWatch {
  const startedAt = performance.now();
  const watched = replicas.map((replica) => ({ replica, samples: [] as GrowthSample[] }));
  const timer = setInterval(() => {
    const minutes = (performance.now() - startedAt) / 60_000;
    for (const { replica, samples } of watched) {
      const handles = readdirSync(`/proc/${replica.pid()}/fd`).length;
      samples.push({ minutes, residentMegabytes: replica.residentMegabytes(), handles });
    }
  }, intervalMilliseconds);
  return { samples: () => watched.map(({ samples }) => samples), stop: () => clearInterval(timer) };
}

/** What `value` grows by in an hour, by least squares. */
export function growthPerHour(
  samples: readonly GrowthSample[],
  value: (sample: GrowthSample) => number,
): number {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const middle = mean(samples.map(({ minutes }) => minutes));
  const level = mean(samples.map(value));
  const covariance = mean(samples.map((sample) => (sample.minutes - middle) * (value(sample) - level)));
  const variance = mean(samples.map(({ minutes }) => (minutes - middle) ** 2));
  return (covariance / variance) * 60;
}
