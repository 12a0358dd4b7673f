import { viewDate } from './order.ts';
import { isOpenTask, type TaskRow } from './row-types.ts';
import type { Rows } from './rows.ts';

const idleMilliseconds = 1_500;
/** Recently opened tasks, whose texts are kept up to date. */
const watched = 3;
/** Few enough for any device's storage. */
const aheadAtMost = 300;

/** Fetches notes and checklists of opened tasks, and prefetches those of the next days. */
export function watchedTexts(rows: Rows, fetchTexts: (ids: readonly string[]) => Promise<void>) {
  let opened: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isStale = (task: TaskRow | undefined) => task !== undefined && task.textsAt !== task.updatedAt;

  function stale(ids: readonly string[]): string[] {
    return ids.filter((id) => isStale(rows.tasks.server.get(id)) || lacksNotes(id));
  }

  function lacksNotes(projectId: string): boolean {
    const project = rows.projects.server.get(projectId);
    return project?.hasLongNotes === true && project.description === null;
  }

  function ahead(): string[] {
    const withTexts = [...rows.tasks.server.values()].filter(
      (task) => isOpenTask(task) && (task.hasNotes || task.checklistTotal > 0),
    );
    const day = (task: TaskRow) => viewDate(task) ?? '9999';
    const nearest = withTexts.toSorted((left, right) => day(left).localeCompare(day(right)));
    return nearest.slice(0, aheadAtMost).map(({ id }) => id);
  }

  return {
    async load(ids: readonly string[]): Promise<void> {
      opened = [...new Set([...ids, ...opened])].slice(0, Math.max(watched, ids.length));
      const unknown = ids.filter((id) => !rows.tasks.server.has(id) && !rows.projects.server.has(id));
      const missing = [...stale(ids), ...unknown];
      if (missing.length > 0) await fetchTexts(missing);
    },
    /** When idle: recently opened and upcoming tasks, for offline use. */
    refreshSoon(onFault: (error: unknown) => void): void {
      const open = stale(opened);
      if (open.length > 0) fetchTexts(open).catch(onFault);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const missing = stale(ahead());
        if (missing.length > 0) fetchTexts(missing).catch(onFault);
      }, idleMilliseconds);
    },
  };
}
