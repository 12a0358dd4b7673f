import type { ProcessEnd } from './process-end.ts';

/** What a Redis of any kind is told when it is started, on 127.0.0.1 and in memory only. */
export type RedisLaunch = { port: number; password: string };

/** A Redis that answers. */
export type RedisProcess = { pid: number; ended: Promise<ProcessEnd>; stop(): Promise<void> };

export const REDIS_STOP_STEPS = [
  { signal: 'SIGTERM', graceMilliseconds: 5_000 },
  { signal: 'SIGKILL', graceMilliseconds: 1_000 },
] as const;
