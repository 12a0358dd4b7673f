import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import { type FeedPosition, isSamePosition } from './batch.ts';
import type { Disk, SavedRows } from './disk.ts';
import { createLastWrites, forgetLeft } from './last-writes.ts';
import type { OutboxRecord } from './outbox-record.ts';
import type { ReplicaState } from './replica.ts';
import type { AreaRow, ProjectRow, SectionRow, TaskRow } from './row-types.ts';

interface Schema extends DBSchema {
  tasks: { key: string; value: TaskRow };
  projects: { key: string; value: ProjectRow };
  sections: { key: string; value: SectionRow };
  areas: { key: string; value: AreaRow };
  state: { key: string; value: ReplicaState };
  records: { key: number; value: OutboxRecord };
  renames: { key: string; value: string };
}

type Database = IDBPDatabase<Schema>;

const storeOf = { task: 'tasks', project: 'projects', section: 'sections', area: 'areas' } as const;
const rowStores = Object.values(storeOf);
const copyStores = [...rowStores, 'state'] as const;

const rowsAtOnce = 100;

const namePrefix = 'tasks-';
const nameOf = (accountId: string) => `${namePrefix}${accountId}`;

type Work = { abort(): void; done: Promise<void> };
const underWay = new Set<Work>();
let isLeft = false;
let isInterrupted = false;

/** Aborts when the page is left: WebKit may keep it, and the next page would wait for its transaction. */
function untilLeft<Kind extends Work>(work: Kind): Kind {
  const end = () => underWay.delete(work);
  underWay.add(work);
  work.done.then(end, end);
  if (isLeft) interrupt();
  return work;
}
function interrupt(): void {
  for (const work of underWay) {
    try {
      work.abort();
      isInterrupted = true;
    } catch {
      // It is being committed, for which the page is not needed.
    }
  }
}
window.addEventListener('pagehide', ({ persisted }) => {
  isLeft = persisted;
  if (isLeft) interrupt();
});
// Shown again, the page reads what is stored.
window.addEventListener('pageshow', () => {
  isLeft = false;
  if (isInterrupted) location.reload();
});

type IndexedDisk = Disk & {
  close(): void;
};

export async function openIndexedDisk(accountId: string): Promise<IndexedDisk> {
  const lastWrites = createLastWrites(accountId);
  let unsent = (): readonly OutboxRecord[] => [];
  const startAgain = () => {
    lastWrites.leaveLost(unsent());
    location.reload();
  };
  const db = await openDB<Schema>(nameOf(accountId), 1, {
    upgrade(fresh) {
      for (const name of rowStores) fresh.createObjectStore(name, { keyPath: 'id' });
      fresh.createObjectStore('state');
      fresh.createObjectStore('records', { keyPath: 'n', autoIncrement: true });
      fresh.createObjectStore('renames');
    },
    // The database was deleted, or closed by the browser (cleared data): the page could not store anything.
    blocking(_current, _blocked, event) {
      if (event.target instanceof IDBDatabase) event.target.close();
      startAgain();
    },
    terminated: startAgain,
  });
  return {
    ...recordsOf(db, lastWrites),
    load: () => load(db),
    save: (...values) => save(db, ...values),
    position: async () => (await db.get('state', 'state'))?.position ?? null,
    async forgetTasks(ids, isPast) {
      const work = untilLeft(db.transaction('tasks', 'readwrite'));
      const forget = async (id: string): Promise<void> => {
        const task = await work.store.get(id);
        if (task !== undefined && isPast(task)) await work.store.delete(id);
      };
      await Promise.all([...ids.map(forget), work.done]);
    },
    async clearRows() {
      const work = untilLeft(db.transaction(copyStores, 'readwrite'));
      await Promise.all(copyStores.map((name) => work.objectStore(name).clear()));
      await work.done;
    },
    keepIfLost(records) {
      unsent = records;
    },
    close: () => db.close(),
  };
}

export function deleteIndexedDisk(accountId: string): Promise<void> {
  forgetLeft(accountId);
  return deleteDB(nameOf(accountId));
}

/** Unsent changes of all accounts. */
export async function countUnsent(): Promise<number> {
  const databases = await indexedDB.databases();
  const names = databases.flatMap(({ name }) => (name?.startsWith(namePrefix) ? [name] : []));
  const counts = await Promise.all(names.map(countRecords));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countRecords(name: string): Promise<number> {
  const db = await openDB<Schema>(name);
  const count = await db.count('records');
  db.close();
  return count;
}

async function load(db: Database): ReturnType<Disk['load']> {
  const work = untilLeft(db.transaction(copyStores));
  const [tasks, projects, sections, areas, state] = await Promise.all([
    work.objectStore('tasks').getAll(),
    work.objectStore('projects').getAll(),
    work.objectStore('sections').getAll(),
    work.objectStore('areas').getAll(),
    work.objectStore('state').get('state'),
  ]);
  return state && { state, rows: { tasks, projects, sections, areas } };
}

async function save(
  db: Database,
  state: ReplicaState,
  after: FeedPosition | null,
  saved?: SavedRows,
): Promise<void> {
  const work = untilLeft(db.transaction(copyStores, 'readwrite'));
  const writeRows = async ({ rows, gone, replacesAll }: SavedRows): Promise<void> => {
    if (replacesAll) await Promise.all(rowStores.map((name) => work.objectStore(name).clear()));
    for (const name of rowStores) {
      // In batches, so that the page stays responsive while thousands are written.
      for (let from = 0; from < rows[name].length; from += rowsAtOnce) {
        const some = rows[name].slice(from, from + rowsAtOnce);
        await Promise.all(some.map((row) => work.objectStore(name).put(row)));
      }
    }
    await Promise.all(gone.map(({ entity, id }) => work.objectStore(storeOf[entity]).delete(id)));
  };
  const write = async (): Promise<void> => {
    const present = await work.objectStore('state').get('state');
    const isOtherFormat = (present ?? state).rowFormat !== state.rowFormat;
    const fits = !isOtherFormat && isSamePosition(present?.position ?? null, after);
    if (!saved?.replacesAll && !fits) return;
    await work.objectStore('state').put(state, 'state');
    if (saved !== undefined) await writeRows(saved);
  };
  // Without an abort, the writes before the failed one would be committed.
  const undo = (error: unknown): never => {
    work.abort();
    throw error;
  };
  await Promise.all([write().catch(undo), work.done]);
}

type RecordMethods = 'addRecords' | 'records' | 'changeRecords' | 'renames' | 'addRenames';

type LastWrites = ReturnType<typeof createLastWrites>;

function recordsOf(db: Database, lastWrites: LastWrites): Pick<Disk, RecordMethods> {
  return {
    async addRecords(records) {
      const numbers = await lastWrites.whileWriting(records, async () => {
        const work = db.transaction('records', 'readwrite', { durability: 'relaxed' });
        // The key is generated, but the type requires it.
        const places = records.map((record) => work.store.add(record as OutboxRecord));
        // A closing page gets no further event of the transaction.
        work.commit();
        const [added] = await Promise.all([Promise.all(places), work.done]);
        return added;
      });
      return records.map((record, index) => ({ ...record, n: numbers[index] ?? 0 }));
    },
    async records() {
      await lastWrites.addLeft(async (records) => {
        const work = untilLeft(db.transaction('records', 'readwrite'));
        const present = new Set((await work.store.getAll()).map(({ key }) => key));
        const missing = records.filter(({ key }) => !present.has(key));
        await Promise.all([...missing.map((record) => work.store.add(record as OutboxRecord)), work.done]);
      });
      return db.getAll('records');
    },
    async changeRecords(places, change) {
      const work = untilLeft(db.transaction('records', 'readwrite'));
      const found: OutboxRecord[] = [];
      for (const n of places) {
        const record = await work.store.get(n);
        if (record === undefined) continue;
        found.push(record);
        const next = change(record);
        if (next === null) await work.store.delete(n);
        else await work.store.put(next);
      }
      await work.done;
      return found;
    },
    async renames() {
      const [keys, values] = await Promise.all([db.getAllKeys('renames'), db.getAll('renames')]);
      return keys.map((key, place) => [key, values[place] ?? key]);
    },
    async addRenames(renames) {
      const work = untilLeft(db.transaction('renames', 'readwrite'));
      await Promise.all([...renames.map(([from, to]) => work.store.put(to, from)), work.done]);
    },
  };
}
