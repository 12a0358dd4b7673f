import type { OutboxRecord } from './outbox-record.ts';

/** What survives a reload: one per account and browser, shared by its tabs. */
export type Disk = {
  /** Adds records in order, all or none; returns them with their places. */
  addRecords(records: readonly Omit<OutboxRecord, 'n'>[]): Promise<OutboxRecord[]>;
  /** All records, first one first. */
  records(): Promise<OutboxRecord[]>;
  putRecords(records: readonly OutboxRecord[]): Promise<void>;
  removeRecords(places: readonly number[]): Promise<void>;
};

export function createMemoryDisk(): Disk {
  const kept = new Map<number, OutboxRecord>();
  let last = 0;
  return {
    addRecords: async (records) => {
      const added = records.map((record) => ({ ...record, n: ++last }));
      for (const record of added) kept.set(record.n, record);
      return added;
    },
    records: async () => [...kept.values()].sort((a, b) => a.n - b.n),
    putRecords: async (records) => {
      for (const record of records) kept.set(record.n, record);
    },
    removeRecords: async (places) => {
      for (const n of places) kept.delete(n);
    },
  };
}
