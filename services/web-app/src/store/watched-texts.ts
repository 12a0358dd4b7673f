import { addDays } from '../dates/civil-date.ts';
import { viewDate } from './order.ts';
import { isOpenTask, type TaskRow } from './row-types.ts';
import type { Rows } from './rows.ts';

const idleMilliseconds = 1_500;
/** Opened last: kept up to date as they change. */
const watched = 3;
/** Of tasks without a day, or later ones: so many that their texts find room on every device. */
const furtherAhead = 200;

/** Notes and checklists are fetched for the tasks that are opened, and ahead for the week and what changed last. */
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

  function ahead(today: string): string[] {
    const end = addDays(today, 7);
    const open = [...rows.tasks.server.values()].filter(isOpenTask);
    const { week = [], later = [] } = Object.groupBy(open, (task) =>
      (viewDate(task) ?? '9999') <= end ? 'week' : 'later',
    );
    const newest = later
      .filter((task) => task.hasNotes || task.checklistTotal > 0)
      .toSorted((left, right) => (left.updatedAt < right.updatedAt ? 1 : -1))
      .slice(0, furtherAhead);
    return [...week, ...newest].map(({ id }) => id);
  }

  return {
    async load(ids: readonly string[]): Promise<void> {
      opened = [...new Set([...ids, ...opened])].slice(0, Math.max(watched, ids.length));
      const unknown = ids.filter((id) => !rows.tasks.server.has(id) && !rows.projects.server.has(id));
      const missing = [...stale(ids), ...unknown];
      if (missing.length > 0) await fetchTexts(missing);
    },
    /** When idle: what was opened last, the next seven days, and what changed last, for offline. */
    refreshSoon(today: string, onFault: (error: unknown) => void): void {
      const open = stale(opened);
      if (open.length > 0) fetchTexts(open).catch(onFault);
      clearTimeout(timer);
      timer = setTimeout(() => {
        const missing = stale(ahead(today));
        if (missing.length > 0) fetchTexts(missing).catch(onFault);
      }, idleMilliseconds);
    },
  };
}
