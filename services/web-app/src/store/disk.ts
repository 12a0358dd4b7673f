import { type FeedPosition, noRows, type RowLists } from './batch.ts';
import type { OutboxRecord } from './outbox-record.ts';
import type { ReplicaState } from './replica.ts';
import type { RowKey, TaskRow } from './row-types.ts';

export type SavedRows = {
  rows: RowLists;
  gone: readonly RowKey[];
  /** All other rows go. */
  replacesAll: boolean;
};

/** What survives a reload: one per account and browser, shared by its tabs. */
export type Disk = {
  load(): Promise<{ state: ReplicaState; rows: RowLists } | undefined>;
  /**
   * Rows and the position that they belong to, all or none. Changes are kept on top of the rows of the position `after`
   * and of the same format alone: where those could not be stored, neither is what came later.
   */
  save(state: ReplicaState, after: FeedPosition | null, saved?: SavedRows): Promise<void>;
  position(): Promise<FeedPosition | null>;
  /** Those of the tasks that are past: another tab may have stored one anew since it was loaded. */
  forgetTasks(ids: readonly string[], isPast: (task: TaskRow) => boolean): Promise<void>;
  /** Leaves the outbox. */
  clearRows(): Promise<void>;
  /** Adds records in order, all or none; returns them with their places. */
  addRecords(records: readonly Omit<OutboxRecord, 'n'>[]): Promise<OutboxRecord[]>;
  /** All records, first one first. */
  records(): Promise<OutboxRecord[]>;
  /**
   * Changes those of the records that are still there, or removes them (null), in one transaction. Returns them as they
   * were before.
   */
  changeRecords(
    places: readonly number[],
    change: (record: OutboxRecord) => OutboxRecord | null,
  ): Promise<OutboxRecord[]>;
  /** Server's ids of what was made here, by temporary id. */
  renames(): Promise<[string, string][]>;
  addRenames(renames: readonly (readonly [string, string])[]): Promise<void>;
};

/** Lasts as long as the page: where the browser gives no storage. */
export function createMemoryDisk(): Disk {
  const kept = new Map<number, OutboxRecord>();
  const renamed = new Map<string, string>();
  let last = 0;
  let savedState: ReplicaState | undefined;
  return {
    load: async () => savedState && { state: { ...savedState, position: null }, rows: noRows },
    save: async (state) => {
      savedState = state;
    },
    position: async () => savedState?.position ?? null,
    forgetTasks: async () => undefined,
    clearRows: async () => {
      savedState = undefined;
    },
    addRecords: async (records) => {
      const added = records.map((record) => {
        last += 1;
        return { ...record, n: last };
      });
      for (const record of added) kept.set(record.n, record);
      return added;
    },
    records: async () => [...kept.values()].sort((a, b) => a.n - b.n),
    changeRecords: async (places, change) => {
      const found = places.flatMap((n) => kept.get(n) ?? []);
      for (const record of found) {
        const next = change(record);
        if (next === null) kept.delete(record.n);
        else kept.set(record.n, next);
      }
      return found;
    },
    renames: async () => [...renamed],
    addRenames: async (added) => {
      for (const [from, to] of added) renamed.set(from, to);
    },
  };
}
