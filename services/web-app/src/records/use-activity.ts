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

type LastEntry = ActivityEntry | 'none' | 'failed';

/** The newest change by an actor, read once it is wanted, and after an offline time; undefined until then. */
export function useLastEntry(actor: string, isWanted: boolean): LastEntry | undefined {
  const store = useStore();
  const [last, setLast] = useState<LastEntry>();
  const isOnline = store.connection.value === 'online';
  useEffect(() => {
    let isCurrent = true;
    if (!isWanted) return;
    store.read<ActivityPage>(pathOf({ actor })).then(
      ({ entries }) => isCurrent && setLast(entries[0] ?? 'none'),
      () => isCurrent && setLast('failed'),
    );
    return () => {
      isCurrent = false;
    };
  }, [actor, isWanted, isOnline]);
  return last;
}
