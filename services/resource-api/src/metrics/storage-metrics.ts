import { Counter, Gauge, type Registry } from 'prom-client';

/** Must not throw. */
export type StorageObserver = {
  /** The fullest account stores so many bytes. */
  measured(bytes: number): void;
  /** A write was refused because its account is full. */
  refused(): void;
};

export function observeStorage(registry: Registry): StorageObserver & { limit(bytes: number): void } {
  const registers = [registry];
  const fullest = new Gauge({
    name: 'account_storage_fullest_bytes',
    help: 'What the fullest account stores, measured about once a minute.',
    registers,
  });
  const limit = new Gauge({
    name: 'account_storage_limit_bytes',
    help: 'What an account may store (ACCOUNT_STORAGE_MEGABYTES).',
    registers,
  });
  const refusals = new Counter({
    name: 'account_storage_refusals_total',
    help: 'Writes refused because their account is full.',
    registers,
  });
  return {
    measured: (bytes) => fullest.set(bytes),
    refused: () => refusals.inc(),
    limit: (bytes) => limit.set(bytes),
  };
}
