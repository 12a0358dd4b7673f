import { type Batch, isSamePosition } from './batch.ts';
import type { Disk } from './disk.ts';
import type { Replica } from './replica.ts';
import { rowFormat, type TaskRow } from './row-types.ts';
import type { Tabs } from './tabs.ts';

export type SharedCopy = ReturnType<typeof createSharedCopy>;

/** The server's rows in memory, on disk and in other tabs. The page goes on if they cannot be stored. */
export function createSharedCopy(
  replica: Replica,
  disk: Disk,
  tabs: Tabs,
  onFault: (error: unknown) => void,
) {
  const isAt = (position: Batch['position']) => isSamePosition(position, replica.position.value);

  /** Loads the rows from disk and deletes past tasks; another format waits for a snapshot. */
  async function load(isPast = (_: TaskRow) => false): Promise<void> {
    const saved = await disk.load();
    if (saved === undefined || saved.state.rowFormat !== rowFormat) return;
    const past = saved.rows.tasks.filter(isPast).map(({ id }) => id);
    replica.load(saved.state, { ...saved.rows, tasks: saved.rows.tasks.filter((task) => !isPast(task)) });
    if (past.length > 0) await disk.forgetTasks(past, isPast);
  }

  /** Loads changes that this tab has missed. */
  async function catchUp(): Promise<void> {
    const position = await disk.position();
    const isBehind = position === null || position.seq < (replica.position.value?.seq ?? 0);
    if (!isBehind && !isAt(position)) await load();
  }

  return {
    load,
    catchUp,
    /** Applies what this tab has fetched. */
    async apply(batch: Batch): Promise<void> {
      const after = replica.position.value;
      const rows = replica.apply(batch);
      const { state } = replica;
      const saved = { rows, gone: batch.gone, replacesAll: batch.replacesAll };
      if (state !== undefined) await disk.save(state, after, saved).catch(onFault);
      tabs.post({ kind: 'batch', after, batch: { ...batch, rows } });
    },
    /** Applies what another tab has fetched. */
    async receive(after: Batch['position'], batch: Batch): Promise<void> {
      if (batch.position === null || batch.replacesAll || isAt(after)) replica.apply(batch);
      else await catchUp();
    },
    /** Deletes the account's rows from memory and disk; unsent changes are kept. */
    forget(): Promise<void> {
      replica.clear();
      return disk.clearRows();
    },
    async saveState(): Promise<void> {
      const { state } = replica;
      if (state !== undefined) await disk.save(state, state.position);
    },
  };
}
