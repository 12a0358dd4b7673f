import type { Batch } from './batch.ts';
import type { Disk } from './disk.ts';
import type { Replica } from './replica.ts';
import type { TaskRow } from './row-types.ts';
import type { Tabs } from './tabs.ts';

/** Rows of the server in memory, on disk and in the other tabs. */
export type SharedCopy = {
  /** From disk, where what is past goes. */
  load(isPast: (task: TaskRow) => boolean): Promise<void>;
  /** Applies what this tab has fetched. */
  apply(batch: Batch): Promise<void>;
  /** What another tab has fetched. */
  receive(after: Batch['position'], batch: Batch): Promise<void>;
  /** Whatever came while this tab could not listen. */
  catchUp(): Promise<void>;
  saveState(): Promise<void>;
  /** The account's rows go from memory and disk; what was not sent stays. */
  forget(): Promise<void>;
};

export function createSharedCopy(replica: Replica, disk: Disk, tabs: Tabs): SharedCopy {
  const numberOf = (position: Batch['position']) => position && `${position.seq} ${position.stamp}`;
  const isAt = (position: Batch['position']) => numberOf(position) === numberOf(replica.position.value);

  async function load(isPast = (_: TaskRow) => false): Promise<void> {
    const saved = await disk.load();
    if (saved === undefined) return;
    const [tasks, past] = [saved.rows.tasks.filter((task) => !isPast(task)), saved.rows.tasks.filter(isPast)];
    replica.load(saved.state, { ...saved.rows, tasks });
    if (past.length > 0) await disk.forgetTasks(past.map(({ id }) => id));
  }

  return {
    load,
    async apply(batch) {
      const after = replica.position.value;
      const rows = replica.apply(batch);
      const { state } = replica;
      if (state !== undefined)
        await disk.save(state, { rows, gone: batch.gone, replacesAll: batch.replacesAll });
      tabs.post({ kind: 'batch', after, batch: { ...batch, rows } });
    },
    async receive(after, batch) {
      if (batch.position === null || batch.replacesAll || isAt(after)) replica.apply(batch);
      else await load();
    },
    async catchUp() {
      if (!isAt(await disk.position())) await load();
    },
    forget() {
      replica.clear();
      return disk.clearRows();
    },
    async saveState() {
      const { state } = replica;
      if (state !== undefined) await disk.save(state);
    },
  };
}
