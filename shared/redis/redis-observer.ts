/** Told how a process gets on with Redis; must not throw. */
export type RedisObserver = {
  /** What Redis should have answered was decided without it. */
  fellBack(): void;
  /** Whether Redis is being asked (`closed`) or left alone for a while (`open`). */
  circuitChanged(state: 'open' | 'closed'): void;
};
