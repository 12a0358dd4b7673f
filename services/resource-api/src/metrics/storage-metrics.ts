import { Counter, Gauge, type Registry } from 'prom-client';

/** Must not throw. */
export type StorageObserver = {
  /** Bytes stored by the fullest account. */
  measured(bytes: number): void;
  /** A write was refused by the storage limit. */
  refused(): void;
};

export function observeStorage(registry: Registry): StorageObserver & { limit(bytes: number): void } {
  const registers = [registry];
  const fullest = new Gauge({
    name: 'account_storage_fullest_bytes',
    help: 'Bytes stored by the fullest account, measured about once a minute.',
    registers,
  });
  const limit = new Gauge({
    name: 'account_storage_limit_bytes',
    help: 'Storage limit of an account (ACCOUNT_STORAGE_MEGABYTES).',
    registers,
  });
  const refusals = new Counter({
    name: 'account_storage_refusals_total',
    help: 'Writes refused by the storage limit.',
    registers,
  });
  return {
    measured: (bytes) => fullest.set(bytes),
    refused: () => refusals.inc(),
    limit: (bytes) => limit.set(bytes),
  };
}
