import { Counter, Gauge, type Registry } from 'prom-client';

/** `purpose`: what the process does with the keys it reads. */
export function observeKeys(registry: Registry, purpose: 'signing' | 'verification'): KeyObserver {
  const registers = [registry];
  const loads = new Counter({
    name: `${purpose}_key_loads_total`,
    help: 'Reads of the keys from the database.',
    labelNames: ['outcome'],
    registers,
  });
  const loadedAt = new Gauge({
    name: `${purpose}_keys_loaded_timestamp_seconds`,
    help: 'When the keys were last read, in seconds since 1970; 0 before the first time.',
    registers,
  });
  const currentSince = purpose === 'signing' ? showCurrentKey(registry) : undefined;
  for (const outcome of ['loaded', 'failed']) loads.inc({ outcome }, 0);
  return {
    keysLoaded(since) {
      loads.inc({ outcome: 'loaded' });
      loadedAt.setToCurrentTime();
      if (since !== undefined) currentSince?.set(since.getTime() / 1_000);
    },
    loadFailed: () => loads.inc({ outcome: 'failed' }),
  };
}

function showCurrentKey(registry: Registry): Gauge {
  return new Gauge({
    name: 'signing_key_current_since_timestamp_seconds',
    help: 'Since when the key that signs has been the current one, in seconds since 1970.',
    registers: [registry],
  });
}

/** Told how a process gets on with the keys it reads; must not throw. */
export type KeyObserver = {
  /** `currentSince`: when the key that signs became the current one, where the reader knows it. */
  keysLoaded(currentSince?: Date): void;
  loadFailed(): void;
};
