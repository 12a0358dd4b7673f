import { type ReadonlySignal, signal } from '@preact/signals';
import type { Disk } from './disk.ts';
import type { OutboxRecord, RecordDraft } from './outbox-record.ts';
import type { RowKey } from './row-types.ts';

/** Writes that the server has not confirmed: on disk first, then shown. */
export class Outbox {
  readonly #disk: Disk;
  readonly #refresh: (keys: readonly RowKey[], records: readonly OutboxRecord[]) => void;
  readonly #records = signal<readonly OutboxRecord[]>([]);

  constructor(disk: Disk, refresh: (keys: readonly RowKey[], records: readonly OutboxRecord[]) => void) {
    this.#disk = disk;
    this.#refresh = refresh;
  }

  get records(): ReadonlySignal<readonly OutboxRecord[]> {
    return this.#records;
  }

  async load(): Promise<void> {
    this.#show(await this.#disk.records());
  }

  async add(drafts: readonly RecordDraft[], command: string, at: number): Promise<OutboxRecord[]> {
    const records = drafts.map((draft) => ({
      body: null,
      creates: false,
      base: {},
      ...draft,
      key: crypto.randomUUID(),
      at,
      command,
      unknownOutcome: false,
      faults: 0,
    }));
    const added = await this.#disk.addRecords(records);
    this.#show([...this.#records.value, ...added]);
    return added;
  }

  async remove(places: readonly number[]): Promise<void> {
    await this.#disk.removeRecords(places);
    const gone = new Set(places);
    this.#show(this.#records.value.filter((record) => !gone.has(record.n)));
  }

  /** Rows of what came and what went are shown anew. */
  #show(records: readonly OutboxRecord[]): void {
    const former = this.#records.value;
    const same = new Set(former.filter((record) => records.includes(record)));
    const touched = [...former, ...records].filter((record) => !same.has(record));
    this.#records.value = records;
    this.#refresh(
      touched.flatMap((record) => record.changes),
      records,
    );
  }
}
