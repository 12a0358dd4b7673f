import { Counter, Gauge, type Registry } from 'prom-client';

/** `purpose`: what the process uses the keys for. */
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
    help: 'Time of the last successful read of the keys, as a Unix timestamp; 0 before the first.',
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
    help: 'When the current signing key became current, as a Unix timestamp.',
    registers: [registry],
  });
}

/** Observes reads of the keys; must not throw. */
export type KeyObserver = {
  /** `currentSince`: when the current signing key became current, if known. */
  keysLoaded(currentSince?: Date): void;
  loadFailed(): void;
};
