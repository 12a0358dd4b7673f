import { useEffect, useState } from 'preact/hooks';
import {
  type ActivityEntry,
  type ActivityPage,
  type AppEntity,
  appApiPath,
} from '#shared/app/app-protocol.ts';
import { useStore } from '../store/store-context.ts';
import { type PagedList, usePages } from './use-pages.ts';

/** All changes of the account, newest first. */
export function useActivity(): PagedList<ActivityEntry> {
  const { lastChange } = useStore().actors;
  return usePages<ActivityPage, ActivityEntry>(
    `${appApiPath}/activity`,
    (page) => page.entries,
    lastChange.value,
  );
}

/** The changes of one record; empty while they cannot be read. */
export function useHistory(entity: AppEntity, id: string): { entries: readonly ActivityEntry[] } {
  const store = useStore();
  const [entries, setEntries] = useState<readonly ActivityEntry[]>([]);
  const row = entity === 'task' ? store.rows.tasks.row(id).value : store.rows.projects.row(id).value;
  const isWaiting = store.waiting.value.has(`${entity}:${id}`);
  useEffect(() => {
    let isCurrent = true;
    if (isWaiting) return;
    const query = new URLSearchParams({ entity, id });
    store.read<ActivityPage>(`${appApiPath}/activity?${query}`).then(
      (page) => isCurrent && setEntries(page.entries),
      () => isCurrent && setEntries([]),
    );
    return () => {
      isCurrent = false;
    };
  }, [entity, id, row?.updatedAt, isWaiting]);
  return { entries };
}
