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

/** The newest page, read once it is wanted, and again when `version` changes; undefined until then. */
function useNewest(query: Record<string, string>, isWanted: boolean, version: unknown) {
  const store = useStore();
  const path = pathOf(query);
  const [newest, setNewest] = useState<readonly ActivityEntry[] | 'failed'>();
  useEffect(() => {
    let isCurrent = true;
    if (!isWanted) return;
    store.read<ActivityPage>(path).then(
      ({ entries }) => isCurrent && setNewest(entries),
      () => isCurrent && setNewest('failed'),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, isWanted, version]);
  return newest;
}

/** The newest changes of a task; empty if they cannot be read. */
export function useHistory(id: string): readonly ActivityEntry[] {
  const store = useStore();
  const row = store.rows.tasks.row(id).value;
  const isWaiting = store.waiting.value.has(`task:${id}`);
  const newest = useNewest({ entity: 'task', id }, !isWaiting, row?.updatedAt);
  return typeof newest === 'object' ? newest : [];
}

/** The newest change by an actor, read once it is wanted, and after an offline time; undefined until then. */
export function useLastEntry(
  actor: string,
  isWanted: boolean,
): ActivityEntry | 'none' | 'failed' | undefined {
  const isOnline = useStore().connection.value === 'online';
  const newest = useNewest({ actor }, isWanted, isOnline);
  return typeof newest === 'object' ? (newest[0] ?? 'none') : newest;
}
