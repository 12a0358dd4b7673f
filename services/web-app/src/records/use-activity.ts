import { type ActivityEntry, type ActivityPage, appApiPath } from '#shared/app/app-protocol.ts';
import { useStore } from '../store/store-context.ts';
import { usePages } from './use-pages.ts';
import { useRead } from './use-read.ts';

export function activityPath(query: Record<string, string>): string {
  const search = new URLSearchParams(query);
  return `${appApiPath}/activity${search.size === 0 ? '' : `?${search}`}`;
}

/** Changes of the account, of one record or by one actor, newest first. */
export function useActivity(query: Record<string, string> = {}) {
  const list = usePages<ActivityPage>(activityPath(query));
  return { list, entries: list.pages.flatMap(({ entries }) => entries) };
}

/** The newest changes of a task; empty if they cannot be read. */
export function useHistory(id: string): readonly ActivityEntry[] {
  const store = useStore();
  const row = store.rows.tasks.row(id).value;
  const isWaiting = store.waiting.value.has(`task:${id}`);
  const path = isWaiting ? null : activityPath({ entity: 'task', id });
  const newest = useRead<ActivityPage>(path, row?.updatedAt);
  return typeof newest === 'object' ? newest.entries : [];
}

/** The newest change by an actor, read once it is wanted, and after an offline time; undefined until then. */
export function useLastEntry(
  actor: string,
  isWanted: boolean,
): ActivityEntry | 'none' | 'failed' | undefined {
  const isOnline = useStore().connection.value === 'online';
  const newest = useRead<ActivityPage>(isWanted ? activityPath({ actor }) : null, isOnline);
  return typeof newest === 'object' ? (newest.entries[0] ?? 'none') : newest;
}
