import { Counter, Gauge, type Registry } from 'prom-client';

export function observeStorage(registry: Registry) {
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
    measured: (bytes: number) => fullest.set(bytes),
    refused: () => refusals.inc(),
    limit: (bytes: number) => limit.set(bytes),
  };
}
