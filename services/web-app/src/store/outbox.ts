import { computed, signal } from '@preact/signals';
import type { Disk } from './disk.ts';
import { isPutBack, type OutboxRecord, type RecordDraft, type Refused } from './outbox-record.ts';
import type { RecordChoice } from './record-choices.ts';
import type { RowKey } from './row-types.ts';
import type { Rows } from './rows.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export type Rename = readonly [temporary: string, id: string];

/** Unconfirmed writes: stored first, then shown. Refused ones stay until the user decides. */
export class Outbox {
  readonly #disk: Disk;
  readonly #rows: Rows;
  readonly #onChange: (removed: readonly number[]) => void;
  readonly #all = signal<readonly OutboxRecord[]>([]);
  /** Records with the server's ids, if known. */
  readonly records = computed(() => this.#all.value.filter((record) => !isPutBack(record)));
  readonly refused = computed(() => this.#all.value.filter(({ refused }) => refused !== undefined));
  readonly #ids = new Map<string, string>();
  readonly #keys = new Map<string, string>();

  /** `onChange`: this tab changed the stored records and removed these. */
  constructor(disk: Disk, rows: Rows, onChange: (removed: readonly number[]) => void) {
    this.#disk = disk;
    this.#rows = rows;
    this.#onChange = onChange;
    disk.keepIfLost?.(() => this.#all.value);
  }

  /** Reads the disk, at the start and after another tab changed it. */
  async load(): Promise<void> {
    const shown = this.#all.value;
    const [renames, records] = await Promise.all([this.#disk.renames(), this.#disk.records()]);
    // The read started before the shown records were written.
    if (this.#all.value !== shown) return this.load();
    this.#learn(renames);
    this.#show(records.map((record) => this.#rewrite(record)));
  }

  async add(drafts: readonly RecordDraft[], command: string): Promise<OutboxRecord[]> {
    const records = drafts.map((draft) => ({
      body: null,
      creates: false,
      base: {},
      ...draft,
      key: crypto.randomUUID(),
      command,
      sentAt: null,
      faults: 0,
      hold: null,
      theirs: null,
    }));
    const stored = await this.#disk.addRecords(records);
    const added = stored.map((record) => this.#rewrite(record));
    // Includes what another tab announced meanwhile.
    const all = new Map([...this.#all.value, ...added].map((record) => [record.n, record]));
    this.#show([...all.values()]);
    this.#onChange([]);
    return added;
  }

  /** Returns the records as stored: fewer if another tab has undone some. */
  async change(
    places: readonly number[],
    change: (record: OutboxRecord) => OutboxRecord | null,
  ): Promise<OutboxRecord[]> {
    const found = await this.#disk.changeRecords(places, change);
    const wanted = new Set(places);
    const present = new Map(found.map((record) => [record.n, record]));
    const next = this.#all.value.flatMap((record) => {
      if (!wanted.has(record.n)) return record;
      const stored = present.get(record.n);
      const changed = stored === undefined ? null : change(stored);
      return changed === null ? [] : this.#rewrite(changed);
    });
    this.#show(next);
    this.#onChange(found.filter((record) => change(record) === null).map(({ n }) => n));
    return found;
  }

  async remove(places: readonly number[]): Promise<void> {
    await this.change(places, () => null);
  }

  async refuse(
    records: readonly OutboxRecord[],
    refused: Refused,
    hold: OutboxRecord['hold'] = null,
  ): Promise<void> {
    const places = records.map(({ n }) => n);
    // After a server error the write may have been stored.
    const sent = refused.kind === 'fault' ? {} : { sentAt: null };
    await this.change(places, (record) => ({ ...record, ...sent, hold, refused }));
  }

  /**
   * Removes records that were never sent, and records that depend on them. With `choose` also those that were
   * sent; what it returns stays.
   */
  async withdraw(places: readonly number[], choose?: RecordChoice): Promise<void> {
    const records = this.records.value;
    const made = new Set(
      records.filter((record) => places.includes(record.n) && record.creates).map((record) => record.row.id),
    );
    const dependents = records.filter((record) => [...touchedIds(record)].some((id) => made.has(id)));
    const all = new Set([...places, ...dependents.map((record) => record.n)]);
    const unlessSent: RecordChoice = (record) =>
      record.sentAt === null && !isPutBack(record) ? null : record;
    await this.change([...all], choose ?? unlessSent);
  }

  /** Replaces temporary ids by the server's. */
  async rename(renames: readonly Rename[]): Promise<void> {
    await this.#disk.addRenames(renames);
    this.adoptRenames(renames);
  }

  /** As it is now: an earlier answer may have renamed its ids. */
  latest(record: OutboxRecord): OutboxRecord {
    return this.records.value.find(({ n }) => n === record.n) ?? record;
  }

  adoptRenames(renames: readonly Rename[]): void {
    this.#learn(renames);
    this.#show(this.#all.value.map((record) => this.#rewrite(record)));
  }

  idOf(id: string): string {
    return this.#ids.get(id) ?? id;
  }

  keyOf(id: string): string {
    return this.#keys.get(id) ?? id;
  }

  #learn(renames: readonly Rename[]): void {
    for (const [temporary, id] of renames) {
      if (this.#ids.has(temporary)) continue;
      this.#ids.set(temporary, id);
      this.#keys.set(id, temporary);
      this.#rows.rename(temporary, id);
    }
  }

  /** Temporary ids are unique, so they are replaced anywhere in a record. */
  #rewrite(record: OutboxRecord): OutboxRecord {
    const text = JSON.stringify(record);
    const rewritten = text.replaceAll(uuid, (id) => this.idOf(id));
    if (rewritten === text) return record;
    const renamed: OutboxRecord = JSON.parse(rewritten);
    return renamed;
  }

  /** Updates the shown rows of added and removed records. */
  #show(all: readonly OutboxRecord[]): void {
    const former = this.records.value;
    this.#all.value = all;
    const records = this.records.value;
    const kept = new Set(former).intersection(new Set(records));
    const touched: RowKey[] = [...former, ...records]
      .filter((record) => !kept.has(record))
      .flatMap((record) => record.changes);
    this.#rows.refresh(touched, records);
  }
}

/** Rows that the record changes or refers to. */
export function touchedIds(record: OutboxRecord): Set<string> {
  const { projectId, sectionId, areaId, after } = record.body ?? {};
  const named = [projectId, sectionId, areaId, after].filter((id) => typeof id === 'string');
  return new Set([record.row.id, ...changedIds(record), ...named]);
}

export function changedIds(record: OutboxRecord): string[] {
  return [record.row.id, ...record.changes.map((change) => change.id)];
}
