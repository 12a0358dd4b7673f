import { signal, batch as signalBatch } from '@preact/signals';
import type { AppAccount, AppActor } from '#shared/app/app-protocol.ts';
import { type Batch, type FeedPosition, type RowLists, rowBatch } from './batch.ts';
import type { OutboxRecord } from './outbox-record.ts';
import type { RowTable } from './row-table.ts';
import { type ProjectRow, type RowKey, recountClosed, rowFormat } from './row-types.ts';
import { keyText, type Rows } from './rows.ts';

export type ReplicaState = {
  rowFormat: string;
  position: FeedPosition | null;
  account: AppAccount;
  closedCounts: Readonly<Record<string, number>>;
  actors: ReadonlyMap<string, { at: string; actor: AppActor }>;
};

type Stamped = { id: string; updatedAt: string };

/** The local copy of the server's rows. */
export class Replica {
  readonly rows: Rows;
  readonly #records: () => readonly OutboxRecord[];
  readonly account = signal<AppAccount | null>(null);
  readonly position = signal<FeedPosition | null>(null);
  readonly closedCounts = signal<ReplicaState['closedCounts']>({});
  /** Actors whose changes of rows were not seen yet. */
  readonly actors = signal<ReplicaState['actors']>(new Map());
  readonly lastChange = signal<string | null>(null);

  constructor(rows: Rows, records: () => readonly OutboxRecord[]) {
    this.rows = rows;
    this.#records = records;
  }

  get state(): ReplicaState | undefined {
    const account = this.account.value;
    if (account === null) return undefined;
    return {
      rowFormat,
      position: this.position.value,
      account,
      closedCounts: this.closedCounts.value,
      actors: this.actors.value,
    };
  }

  setAccount(account: AppAccount): void {
    const known = this.account.value;
    const isSame = known !== null && JSON.stringify(known) === JSON.stringify(account);
    if (!isSame) this.account.value = account;
  }

  /** Loads the copy from disk. */
  load(state: ReplicaState, rows: RowLists): void {
    signalBatch(() => {
      this.account.value = state.account;
      this.actors.value = state.actors;
      const { position, closedCounts } = state;
      this.apply({ ...rowBatch(rows), replacesAll: true, position, closedCounts });
    });
  }

  /** Returns the merged rows, to be stored. */
  apply(batch: Batch): RowLists {
    const touched: RowKey[] = [];
    const { rows } = this;
    const closedCounts = batch.closedCounts ?? this.#countsAfter(batch.rows.tasks);
    const applied: RowLists = {
      tasks: upsert(rows.tasks, batch.rows.tasks, batch.replacesAll, 'task', touched),
      projects: upsert(rows.projects, batch.rows.projects, batch.replacesAll, 'project', touched),
      sections: upsert(rows.sections, batch.rows.sections, batch.replacesAll, 'section', touched),
      areas: upsert(rows.areas, batch.rows.areas, batch.replacesAll, 'area', touched),
    };
    for (const { entity, id } of batch.gone) {
      rows.table(entity).server.delete(id);
      touched.push({ entity, id });
    }
    signalBatch(() => {
      this.#applyState({ ...batch, closedCounts });
      rows.refresh(touched, this.#records());
    });
    return applied;
  }

  /** The service sends counts with changes, not with its answers to writes. */
  #countsAfter(tasks: RowLists['tasks']): ReplicaState['closedCounts'] {
    const counts = { ...this.closedCounts.value };
    for (const task of tasks) {
      const known = this.rows.tasks.server.get(task.id);
      if (known !== undefined && known.updatedAt <= task.updatedAt) recountClosed(counts, known, task);
    }
    return counts;
  }

  #applyState({ position, account, closedCounts, actors }: Batch): void {
    if (position !== null) this.position.value = position;
    const known = this.account.value;
    if (account !== null && known !== null) this.setAccount({ ...known, ...account });
    if (closedCounts !== null) this.closedCounts.value = closedCounts;
    const others = actors.filter(({ actor }) => actor.kind !== 'browser');
    if (actors.length === 0) return;
    const noted = new Map(this.actors.value);
    for (const note of actors) noted.delete(keyText(note));
    for (const { actor, at, ...key } of others) noted.set(keyText(key), { actor, at });
    this.actors.value = noted;
    for (const { at } of others) if (at > (this.lastChange.value ?? '')) this.lastChange.value = at;
  }

  /** Empties the copy, so that a snapshot is read next. */
  clear(): void {
    signalBatch(() => {
      this.apply({ ...rowBatch({}), replacesAll: true, closedCounts: {} });
      this.position.value = null;
      this.actors.value = new Map();
    });
  }

  markSeen(key: RowKey): void {
    if (!this.actors.value.has(keyText(key))) return;
    const noted = new Map(this.actors.value);
    noted.delete(keyText(key));
    this.actors.value = noted;
  }
}

/** Only a snapshot, of a restored database, has older rows. Fetched texts stay until newer ones arrive. */
function upsert<Row extends Stamped>(
  table: RowTable<Row>,
  incoming: readonly Row[],
  replacesAll: boolean,
  entity: RowKey['entity'],
  touched: RowKey[],
): Row[] {
  if (replacesAll) {
    const present = new Set(incoming.map((row) => row.id));
    for (const id of table.server.keys()) {
      touched.push({ entity, id });
      if (!present.has(id)) table.server.delete(id);
    }
  }
  return incoming.flatMap((row) => {
    const known = table.server.get(row.id);
    if (!replacesAll && known !== undefined && known.updatedAt > row.updatedAt) return [];
    const next = { ...known, ...row, ...keptNotes(known, row) };
    table.server.set(row.id, next);
    touched.push({ entity, id: row.id });
    return [next];
  });
}

/** Lists omit long notes of projects: fetched ones are kept while the project is unchanged. */
function keptNotes(known: object | undefined, row: Stamped): object {
  if (!isProject(row) || known === undefined || !isProject(known)) return {};
  if (!row.hasLongNotes || row.description !== null || known.updatedAt !== row.updatedAt) return {};
  const { description, descriptionHtml } = known;
  return { description, descriptionHtml };
}

function isProject(row: object): row is ProjectRow {
  return 'hasLongNotes' in row;
}
