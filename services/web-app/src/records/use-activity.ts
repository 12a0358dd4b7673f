import { useEffect, useState } from 'preact/hooks';
import { type ActivityEntry, type ActivityPage, appApiPath } from '#shared/app/app-protocol.ts';
import { useStore } from '../store/store-context.ts';
import { usePages } from './use-pages.ts';

function pathOf(query: Record<string, string>): string {
  const search = new URLSearchParams(query);
  return `${appApiPath}/activity${search.size === 0 ? '' : `?${search}`}`;
}

/** Changes of the account, of one record or by one actor, newest first. */
export function useActivity(query: Record<string, string> = {}) {
  const list = usePages<ActivityPage>(pathOf(query));
  return { list, entries: list.pages.flatMap(({ entries }) => entries) };
}

/** The newest changes of a task; empty if they cannot be read. */
export function useHistory(id: string): readonly ActivityEntry[] {
  const store = useStore();
  const [entries, setEntries] = useState<readonly ActivityEntry[]>([]);
  const row = store.rows.tasks.row(id).value;
  const isWaiting = store.waiting.value.has(`task:${id}`);
  useEffect(() => {
    let isCurrent = true;
    if (isWaiting) return;
    store.read<ActivityPage>(pathOf({ entity: 'task', id })).then(
      (page) => isCurrent && setEntries(page.entries),
      () => isCurrent && setEntries([]),
    );
    return () => {
      isCurrent = false;
    };
  }, [id, row?.updatedAt, isWaiting]);
  return entries;
}
